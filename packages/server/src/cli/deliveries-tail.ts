import type { Delivery } from '@posthorn/contract'
import type { Command } from './command.ts'
import { customerConnection, customerOptions } from './connection.ts'
import { endpointOperand } from './endpoint-operand.ts'
import { followDeliveries, latestSequence, printWaiting } from './follow-deliveries.ts'
import { printJson, printLine } from './print.ts'
import { serviceClient } from './service-client.ts'
import { stopSignal } from './stop-signal.ts'
import { wholeNumber } from './whole-number.ts'

const lastDefault = 10

export const deliveriesTail: Command = {
  name: 'deliveries tail',
  summary: 'Watch the new deliveries of an endpoint',
  about: [
    'Shows the last few deliveries, then each new one with its current state, ordered by sequence number, until Ctrl-C.',
    'To continue later without a gap, pass the last number you saw with --after-sequence. With --json, each delivery',
    'is one line. Needs an API key with the scope read.',
  ].join('\n'),
  operands: [endpointOperand],
  options: {
    last: {
      value: 'count',
      meaning: `How many existing deliveries to show first (default ${lastDefault}).`,
    },
    'after-sequence': { value: 'number', meaning: 'Start after this sequence number instead.' },
    ...customerOptions,
  },
  examples: [
    'posthorn deliveries tail wh_…',
    'posthorn deliveries tail wh_… --after-sequence 1041',
    'posthorn deliveries tail wh_… --json | jq -r \'select(.event.type == "email.bounced") | .event.to[]\'',
  ],
  async run(input) {
    const id = input.operand('endpoint')
    const given = wholeNumber(input, 'after-sequence')
    const last = wholeNumber(input, 'last') ?? lastDefault
    const client = serviceClient(customerConnection(input))
    const stop = stopSignal()
    const from = given ?? (await latestSequence(client, id, last))
    for await (const delivery of followDeliveries(client, id, from, { stop, onWait: printWaiting })) {
      if (input.flag('json')) printJson(delivery)
      else printLine(deliveryLine(delivery))
    }
    return { exitCode: 0 }
  },
}

function deliveryLine({ sequence, created_at, event, state, reason, last_error_code, id }: Delivery): string {
  const why = reason ?? last_error_code
  return [
    created_at,
    `#${sequence}`.padEnd(7),
    event.type.padEnd(18),
    (why === null ? state : `${state} (${why})`).padEnd(10),
    event.to.join(','),
    event.email_id,
    id,
  ].join('  ')
}

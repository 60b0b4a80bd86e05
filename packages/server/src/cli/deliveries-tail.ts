import type { Delivery } from '@posthorn/contract'
import type { Command } from './command.ts'
import { customerConnection, customerOptions } from './connection.ts'
import { endpointOperand } from './endpoint-operand.ts'
import { followDeliveries, latestSequence, sayThatItWaits } from './follow-deliveries.ts'
import { printJson, printLine } from './print.ts'
import { serviceClient } from './service-client.ts'
import { stopSignal } from './stop-signal.ts'
import { wholeNumber } from './whole-number.ts'

const lastDefault = 10

export const deliveriesTail: Command = {
  name: 'deliveries tail',
  summary: 'Watch the deliveries of an endpoint as they are made',
  about: [
    'Shows the last few deliveries and then each new one, in the order of their sequence numbers, with its state at',
    'that moment, until Ctrl-C. Start again with --after-sequence and the last number seen, and nothing is missed.',
    'With --json every delivery is one line. Needs an API key with the scope read.',
  ].join('\n'),
  operands: [endpointOperand],
  options: {
    last: {
      value: 'count',
      meaning: `How many that are there already to begin with (default ${lastDefault}).`,
    },
    'after-sequence': { value: 'number', meaning: 'Begin behind this sequence number instead.' },
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
    for await (const delivery of followDeliveries(client, id, from, { stop, onWait: sayThatItWaits })) {
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

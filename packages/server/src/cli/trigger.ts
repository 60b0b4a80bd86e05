import type { Client } from '@posthorn/client'
import { type Delivery, eventTypes } from '@posthorn/contract'
import type { Command } from './command.ts'
import { customerConnection, customerOptions } from './connection.ts'
import { endpointOperand } from './endpoint-operand.ts'
import { parseEventType } from './event-types.ts'
import { pause } from './pause.ts'
import { serviceClient } from './service-client.ts'
import { stopSignal } from './stop-signal.ts'

/** By default, an attempt ends within 15 seconds. */
const waitMsMax = 20_000

const pollMs = 250

export const trigger: Command = {
  name: 'trigger',
  summary: 'Send a sample event to an endpoint',
  about: [
    'The event looks like any other, with a sequence number, but only this endpoint receives it, before its backlog. Its',
    'email_id begins with em_test. The command waits for the first attempt, prints the result, and exits with 1 if the',
    'attempt failed. The endpoint must be enabled. Needs an API key with the scopes send and read.',
  ].join('\n'),
  operands: [
    endpointOperand,
    { name: 'type', meaning: `${eventTypes.slice(0, -1).join(', ')} or ${eventTypes.at(-1)}.` },
  ],
  options: {
    'no-wait': { meaning: 'Do not wait for the attempt. Then the scope send is enough.' },
    ...customerOptions,
  },
  examples: ['posthorn trigger wh_… email.bounced', 'posthorn trigger wh_… email.delivered --no-wait --json'],
  async run(input) {
    const type = parseEventType('<type>', input.operand('type'))
    const client = serviceClient(customerConnection(input))
    const made = await client.sendTestEvent({ params: { id: input.operand('endpoint') }, body: { type } })
    const stored = `Created the sample ${type} event ${made.event_id} with the delivery ${made.delivery_id}.`
    if (input.flag('no-wait')) return { exitCode: 0, json: made, text: stored }
    const delivery = await firstAttempt(client, made.delivery_id, stopSignal())
    return {
      exitCode: delivery.attempts?.[0]?.outcome === 'delivered' ? 0 : 1,
      json: delivery,
      text: `${stored}\n${outcome(delivery)}`,
    }
  },
}

/** The delivery after its first attempt, or after the timeout. */
async function firstAttempt(client: Client, id: string, stop: AbortSignal): Promise<Delivery> {
  const deadline = performance.now() + waitMsMax
  for (;;) {
    const delivery = await client.getDelivery({ params: { id } })
    const isOver = (delivery.attempts?.length ?? 0) > 0
    if (isOver || stop.aborted || performance.now() > deadline) return delivery
    await pause(pollMs, stop)
  }
}

function outcome({ attempts, state }: Delivery): string {
  const attempt = attempts?.[0]
  if (attempt === undefined) return `No attempt has ended yet; the delivery is ${state}.`
  const time = `${Math.round(attempt.duration_ms)} ms`
  if (attempt.outcome === 'delivered') {
    const proof = attempt.verified_by === null ? '' : ` and verified the signature ${attempt.verified_by}`
    return `Delivered in ${time}: the endpoint answered ${attempt.status_code}${proof}.`
  }
  return `Not delivered after ${time}: ${attempt.error?.message ?? `the endpoint answered ${attempt.status_code}.`}`
}

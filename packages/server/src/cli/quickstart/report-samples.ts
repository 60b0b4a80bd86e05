import { randomBytes } from 'node:crypto'
import type { DefaultEventType } from '@posthorn/contract'
import type { WebhookEvent } from '@posthorn/receiver'
import { CommandError } from '../command-error.ts'
import type { Connection } from '../connection.ts'
import { asCustomer } from './as-customer.ts'
import type { Quickstart } from './quickstart-file.ts'
import type { QuickstartReceiver } from './quickstart-receiver.ts'

/** By default, an attempt ends within 15 seconds. */
const waitMsMax = 20_000

const samples: readonly { type: DefaultEventType; to: string }[] = [
  { type: 'email.delivered', to: 'ada@example.com' },
  { type: 'email.bounced', to: 'grace@example.com' },
  { type: 'email.failed', to: 'alan@example.com' },
  { type: 'email.unsubscribed', to: 'edsger@example.com' },
]

/**
 * Reports one outcome of each type, and waits until the receiver has verified each event.
 * @throws CommandError with the reason if an event does not arrive
 */
export async function reportSamples(
  connection: Connection,
  made: Quickstart,
  receiver: QuickstartReceiver,
): Promise<WebhookEvent[]> {
  const customer = asCustomer(connection, made.api_key)
  const events: WebhookEvent[] = []
  for (const { type, to } of samples) {
    const emailId = `em_quickstart_${randomBytes(6).toString('hex')}`
    const answer = await customer.reportOutcomes({ body: { type, data: { email_id: emailId, to: [to] } } })
    const id = answer.events[0] ?? ''
    const event = await receiver.arrived(id, waitMsMax)
    if (event === null) throw await notArrived(connection, made, id)
    events.push(event)
  }
  return events
}

/** Gets the reason from the service. */
async function notArrived(connection: Connection, made: Quickstart, eventId: string): Promise<CommandError> {
  const customer = asCustomer(connection, made.api_key)
  const { deliveries = [] } = await customer.getEvent({ params: { id: eventId } })
  const [delivery] = deliveries
  const attempts =
    delivery === undefined ? [] : (await customer.getDelivery({ params: { id: delivery.id } })).attempts
  const cause = attempts?.[0]?.error?.message ?? 'No attempt has ended yet: check the log of the service.'
  return new CommandError(
    'not_delivered',
    `the event ${eventId} did not arrive within ${waitMsMax / 1_000} s. ${cause} If the service runs in a container, run quickstart inside it.`,
  )
}

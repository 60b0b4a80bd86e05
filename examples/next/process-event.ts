import type { WebhookEvent } from '@posthorn/receiver'

/** What this example does with an event: it hands the id to another service. */
export async function processEvent(event: WebhookEvent): Promise<void> {
  const answer = await fetch(process.env['EVENTS_URL'] ?? '', { method: 'POST', body: event.id })
  if (!answer.ok) throw new Error(`the event was not taken: ${answer.status}`)
}

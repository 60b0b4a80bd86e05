import type { WebhookEvent } from '@posthorn/receiver'

/** This example sends the id of each event to another service. */
export async function processEvent(event: WebhookEvent): Promise<void> {
  const answer = await fetch(process.env['EVENTS_URL'] ?? '', { method: 'POST', body: event.id })
  if (!answer.ok) throw new Error(`the service answered ${answer.status}`)
}

import { isEvent, type WebhookEvent } from '@posthorn/receiver'

/** Describes a verified event on one line. */
export function eventLine(event: WebhookEvent): string {
  const to = event.data.to.join(', ')
  const ms = Math.max(0, Date.now() - Date.parse(event.created_at))
  return `  ✓ ${event.type.padEnd(18)}  ${to.padEnd(18)}  ${duration(ms).padStart(6)}  ${sentence(event)}`
}

function sentence(event: WebhookEvent): string {
  if (isEvent(event, 'email.delivered')) return 'The mail server accepted the email.'
  if (isEvent(event, 'email.bounced')) return event.data.bounce.message
  if (isEvent(event, 'email.failed')) return event.data.failure.message
  return 'The recipient unsubscribed.'
}

function duration(ms: number): string {
  return ms < 10_000 ? `${ms} ms` : `${Math.round(ms / 1_000)} s`
}

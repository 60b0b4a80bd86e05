import type { Email } from '@posthorn/contract'
import type { WebhookEvent } from '@posthorn/receiver'
import type { Mailbox } from './mailboxes.ts'

/** Lists the recipients whose events or whose state differ from what their mailbox should cause. */
export function differencesOf(
  mailboxes: readonly Mailbox[],
  arrivals: readonly { readonly event: WebhookEvent }[],
  record: Email,
): string[] {
  return mailboxes.flatMap(mailbox => {
    const found = arrivals
      .filter(({ event }) => event.data.to[0] === mailbox.address)
      .map(({ event }) => `${event.type} ${reasonOf(event) ?? ''}`.trim())
    const expected = `${mailbox.event} ${mailbox.reason ?? ''}`.trim()
    const state = record.recipients?.find(({ address }) => address === mailbox.address)?.state
    return [
      ...(found.join(', ') === expected
        ? []
        : [`${mailbox.address}: received ${found.join(', ') || 'no event'}, not ${expected}`]),
      ...(`email.${state}` === mailbox.event ? [] : [`${mailbox.address}: its state is ${state}`]),
    ]
  })
}

/** The category of a bounce, or the reason of a failure. */
export function reasonOf(event: WebhookEvent): string | null {
  if (event.type === 'email.bounced') return event.data.bounce.category
  if (event.type === 'email.failed') return event.data.failure.reason
  return null
}

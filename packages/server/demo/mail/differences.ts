import type { Email } from '@posthorn/contract'
import type { WebhookEvent } from '@posthorn/receiver'
import type { Mailbox } from './mailboxes.ts'

/** Where an account was told something else than the mailbox gave cause for, or the record says something else. */
export function differencesOf(
  mailboxes: readonly Mailbox[],
  arrivals: readonly { readonly event: WebhookEvent }[],
  record: Email,
): string[] {
  return mailboxes.flatMap(mailbox => {
    const told = arrivals.filter(({ event }) => event.data.to[0] === mailbox.address)
    const said = told.map(({ event }) => `${event.type} ${reasonOf(event) ?? ''}`.trim())
    const expected = `${mailbox.event} ${mailbox.because ?? ''}`.trim()
    const state = record.recipients?.find(({ address }) => address === mailbox.address)?.state
    return [
      ...(said.join(', ') === expected
        ? []
        : [`${mailbox.address}: told ${said.join(', ') || 'nothing'}, not ${expected}`]),
      ...(`email.${state}` === mailbox.event ? [] : [`${mailbox.address}: its record says ${state}`]),
    ]
  })
}

/** Of a bounce its category, of a failure its reason. */
export function reasonOf(event: WebhookEvent): string | null {
  if (event.type === 'email.bounced') return event.data.bounce.category
  if (event.type === 'email.failed') return event.data.failure.reason
  return null
}

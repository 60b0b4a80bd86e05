import type { EmailCreate, Mailbox, RecipientField } from '@posthorn/contract'
import { normalEmailAddress } from '../domain/email-address.ts'
import { unquoted } from '../domain/folded-address.ts'

export interface EnvelopeRecipient {
  readonly address: string
  readonly field: RecipientField
}

/** The recipients of an email in the order of its fields, without duplicates. */
export function envelopeRecipients({ to, cc = [], bcc = [] }: EmailCreate): EnvelopeRecipient[] {
  const found = new Map<string, EnvelopeRecipient>()
  const add = (field: RecipientField, mailboxes: readonly Mailbox[]): void => {
    for (const mailbox of mailboxes) {
      const address = normalEmailAddress(mailbox.address)
      const at = address.lastIndexOf('@')
      const mailboxKey = unquoted(address.slice(0, at)) + address.slice(at)
      if (!found.has(mailboxKey)) found.set(mailboxKey, { address, field })
    }
  }
  add('to', to)
  add('cc', cc)
  add('bcc', bcc)
  return [...found.values()]
}

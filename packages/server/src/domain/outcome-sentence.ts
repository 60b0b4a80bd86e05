/** What an outcome's category means, in one sentence for the person who reads the event. */
export function sentenceFor(category: unknown): string {
  return sentences.get(category) ?? 'The email was not delivered.'
}

const sentences = new Map<unknown, string>([
  ['invalid_recipient', 'The mailbox does not exist.'],
  ['invalid_address', 'The address is not a valid email address.'],
  ['invalid_domain', 'The domain of the address does not exist or has no mail server.'],
  ['domain_not_accepting_mail', 'The domain of the address accepts no mail.'],
  ['mailbox_disabled', 'The mailbox is disabled.'],
  ['recipient_moved', 'The recipient has moved to another address.'],
  ['recipient_changed', 'The address belongs to somebody else now.'],
  [
    'infrastructure',
    'The email could not be delivered because of a fault in a mail system or in the network.',
  ],
  ['policy', 'The email was refused by a rule of the receiving or the sending side.'],
  ['signing', 'The email could not be signed with DKIM and was not sent.'],
])

/** The reasons why an address is permanently bad, with a sentence for each. */
export const bounceSentences = {
  invalid_recipient: 'The mailbox does not exist.',
  invalid_address: 'The address is not a valid email address.',
  invalid_domain: 'The domain of the address does not exist or has no mail server.',
  domain_not_accepting_mail: 'The domain of the address does not accept mail.',
  mailbox_disabled: 'The mailbox is disabled.',
  recipient_moved: 'The recipient has moved to another address.',
  recipient_changed: 'The address now belongs to someone else.',
} as const

export type BounceCategory = keyof typeof bounceSentences

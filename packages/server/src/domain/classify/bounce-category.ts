/** What is permanently wrong with an address, and the sentence that says so. */
export const bounceSentences = {
  invalid_recipient: 'The mailbox does not exist.',
  invalid_address: 'The address is not a valid email address.',
  invalid_domain: 'The domain of the address does not exist or has no mail server.',
  domain_not_accepting_mail: 'The domain of the address accepts no mail.',
  mailbox_disabled: 'The mailbox is disabled.',
  recipient_moved: 'The recipient has moved to another address.',
  recipient_changed: 'The address belongs to somebody else now.',
} as const

export type BounceCategory = keyof typeof bounceSentences

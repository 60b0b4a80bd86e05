/** A recipient of the demo, how its mail server answers, and the event that this must cause. */
export interface Mailbox {
  readonly address: string
  readonly answers: string
  readonly event: 'email.delivered' | 'email.bounced' | 'email.failed'
  /** The category of a bounce, or the reason of a failure. */
  readonly reason: string | null
}

/** `good.example` has a mail server, `closed.example` accepts no mail, and `nowhere.example` does not exist. */
export const mailboxes: readonly Mailbox[] = [
  { address: 'anna@good.example', answers: '250', event: 'email.delivered', reason: null },
  { address: 'later@good.example', answers: '451 4.7.1, then 250', event: 'email.delivered', reason: null },
  {
    address: 'nobody@good.example',
    answers: '550 5.1.1',
    event: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    address: 'guarded@good.example',
    answers: '550 5.7.1',
    event: 'email.failed',
    reason: 'content_rejected',
  },
  { address: 'full@good.example', answers: '552 5.2.2', event: 'email.failed', reason: 'mailbox_full' },
  {
    address: 'x@nowhere.example',
    answers: 'no such domain',
    event: 'email.bounced',
    reason: 'invalid_domain',
  },
  {
    address: 'x@closed.example',
    answers: 'a null MX',
    event: 'email.bounced',
    reason: 'domain_not_accepting_mail',
  },
]

/** A recipient of the demo's mail, what the way to it is like, and what the account must be told of it. */
export interface Mailbox {
  readonly address: string
  readonly answers: string
  readonly event: 'email.delivered' | 'email.bounced' | 'email.failed'
  /** Of a bounce its category, of a failure its reason. */
  readonly because: string | null
}

/** One of each kind. `good.example` has a mail server, `closed.example` takes no mail, `nowhere.example` is not there. */
export const mailboxes: readonly Mailbox[] = [
  { address: 'anna@good.example', answers: '250', event: 'email.delivered', because: null },
  { address: 'later@good.example', answers: '451 4.7.1, then 250', event: 'email.delivered', because: null },
  {
    address: 'nobody@good.example',
    answers: '550 5.1.1',
    event: 'email.bounced',
    because: 'invalid_recipient',
  },
  {
    address: 'guarded@good.example',
    answers: '550 5.7.1',
    event: 'email.failed',
    because: 'content_rejected',
  },
  { address: 'full@good.example', answers: '552 5.2.2', event: 'email.failed', because: 'mailbox_full' },
  {
    address: 'x@nowhere.example',
    answers: 'no such domain',
    event: 'email.bounced',
    because: 'invalid_domain',
  },
  {
    address: 'x@closed.example',
    answers: 'a null MX',
    event: 'email.bounced',
    because: 'domain_not_accepting_mail',
  },
]

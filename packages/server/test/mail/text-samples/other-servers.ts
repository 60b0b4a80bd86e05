import type { TextSample } from './text-sample.ts'

/** Large providers, gateways and other servers. */
export const otherSamples: readonly TextSample[] = [
  {
    form: 'Gmail',
    subject: 'Delivery Status Notification (Failure)',
    from: 'Mail Delivery Subsystem <mailer-daemon@mail.example>',
    text: `Delivery to the following recipient failed permanently:

     ann@example.org

Technical details of permanent failure:
The mail server tried to deliver your message, but it was rejected by the server for the recipient domain example.org by mx1.example.org. [192.0.2.25].

The error that the other server returned was:
550 5.1.1 <ann@example.org>: Recipient address rejected: User unknown

----- Original message -----

Subject: 550 5.1.1 <bob@example.org>: User unknown
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Gmail, refused by policy',
    subject: 'Delivery Status Notification (Failure)',
    text: `Delivery to the following recipient failed permanently:

     ann@example.org

Technical details of permanent failure:
The error that the other server returned was: 550 550 5.7.1 Sender is not allowed by the policy of this domain (state 14).
`,
    expect: 'email.failed',
    reason: 'sender_rejected',
  },
  {
    form: 'James',
    subject: 'Error in message delivery',
    text: `Hi. This is the James mail server at mx.sender.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.
Below I include the list of recipients and the reason why I was unable to
deliver your message.

Failed recipient(s):
ann@example.org

Error message:
550 5.1.1 <ann@example.org>: Recipient address rejected: User unknown
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'CommuniGate',
    subject: 'Undeliverable mail: News for November',
    text: `Failed to deliver to 'ann@example.org'
LOCAL module(account ann) reports:
 account is full (quota exceeded)
`,
    expect: 'email.failed',
    reason: 'mailbox_full',
  },
  {
    form: 'a portal that closed the account',
    subject: 'Delivery failure',
    text: `Your message could not be delivered to <ann@example.org>.

This account has been disabled.
`,
    expect: 'email.bounced',
    reason: 'mailbox_disabled',
  },
  {
    form: 'guesses without a reply',
    subject: 'Delivery failure',
    text: `Your message could not be delivered to:

  ann@example.org

The mailbox may not exist, or it may be full. Please check the address.
`,
    expect: 'email.failed',
  },
  {
    form: 'no reason at all',
    subject: 'Delivery Failure',
    text: 'Delivery to the following recipients failed.\n\n       ann@example.org\n',
    expect: 'email.failed',
  },
  {
    form: 'an access rule',
    subject: 'Undeliverable mail',
    text: 'Your message was not delivered to:\n\nann@example.org\n550 Access denied\n',
    expect: 'email.failed',
  },
  {
    form: 'a filter that refuses the content',
    subject: 'Mail delivery failed',
    text: `Your message to ann@example.org was rejected.
It was returned by our virus scanner because an infected attachment was found.
`,
    expect: 'email.failed',
    reason: 'virus_detected',
  },
  {
    form: 'a reply before the recipient is about somebody else',
    subject: 'Undelivered mail',
    text: `bob@example.org
550 5.1.1 User unknown

ann@example.org
552 5.2.2 Mailbox full
`,
    expect: 'email.failed',
    reason: 'mailbox_full',
  },
  {
    form: 'a portal in its own words',
    subject: 'Delivery failure',
    from: 'MAILER-DAEMON@example.org',
    text: `Message from example.org.
Unable to deliver message to the following address(es).

<ann@example.org>:
This user doesn't have an example.org account (ann@example.org)

--- Original message follows.
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'a one-line letter',
    subject: 'Undeliverable Mail',
    text: 'Invalid final delivery userid: ann@example.org\n\nOriginal message follows.\n',
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'an error code in the middle of a line',
    subject: 'Undelivered Mail Returned to Sender',
    text: `A message that you sent could not be delivered to one or more of its recipients.

ann@example.org Invalid Address, ERROR_CODE :550, ERROR_CODE :5.1.1 <ann@example.org>... User Unknown
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'an enhanced code without a reply code',
    subject: 'Mail delivery failed: returning message to sender',
    text: `The following addresses failed:

"ann@example.org"
SMTP error from remote server after RCPT command:
host: mx1.example.org
5.1.1 <ann@example.org>... User Unknown
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'a gateway that logs the dialogue',
    subject: 'Mail could not be delivered',
    text: `Sent <<< RCPT TO:<ann@example.org>
Received >>> 550 5.1.1 <ann@example.org>... user unknown
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'an appliance that quotes a reply in a reply',
    subject: 'Delivery Status Notification (Failure)',
    text: `The following message to <ann@example.org> was undeliverable.
The reason for the problem:
5.1.0 - Unknown address error 550-'5.1.1 <ann@example.org>: Recipient address rejected'
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'only the local part',
    subject: 'Returned mail: User unknown',
    text: `   ----- Transcript of session follows -----
550 ann... User unknown

   ----- Unsent message follows -----
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'an address that was closed',
    subject: 'failure notice',
    text: '<ann@example.org>:\nThis address no longer accepts mail.\n',
    expect: 'email.bounced',
    reason: 'mailbox_disabled',
  },
  {
    form: 'a group that may not exist',
    subject: 'Your message was not delivered',
    text: `We're writing to let you know that the group you tried to contact (ann@example.org) may not
exist, or you may not have permission to post messages to the group.
`,
    expect: 'email.failed',
  },
  {
    form: 'an access rule in words',
    subject: 'Undeliverable: News',
    text: `Your message was not delivered to ann@example.org.
The recipient only accepts mail from an approved list of senders, and unknown senders are rejected.
`,
    expect: 'email.failed',
  },
  {
    form: 'only the local part, in its own words',
    subject: 'Delivery failure',
    text: 'The following could not be reached:\n\n   ann\n      User unknown\n',
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'a rule beside an unknown user',
    subject: 'Delivery failure',
    text: 'Your message was not delivered to:\n\nann@example.org\nUser unknown. Blocked by policy.\n',
    expect: 'email.failed',
  },
  {
    form: 'a reply in the returned mail',
    subject: 'Delivery failure',
    text: `Your message could not be delivered to ann@example.org.

----- Returned message -----

ann@example.org wrote that she got "550 5.1.1 User unknown" from you.
550 5.1.1 User unknown
`,
    expect: 'email.failed',
  },
  {
    form: 'the account of the sender is disabled',
    subject: 'Undeliverable mail',
    text: 'Your message to ann@example.org could not be delivered because your account is disabled.\n',
    expect: 'email.failed',
  },
  {
    form: 'a mailbox that comes back',
    subject: 'Delivery failed',
    text: 'ann@example.org\nThe mailbox is inactive. It is reactivated when the user logs in.\n',
    expect: 'email.failed',
  },
  {
    form: 'a list for its members',
    subject: 'Mail delivery failed',
    text: 'Not delivered to ann@example.org: unknown user. You are not a member of this list.\n',
    expect: 'email.failed',
  },
]

import type { TextSample } from './text-sample.ts'

/** Exim, qmail, Sendmail, Courier and Postfix. */
export const unixSamples: readonly TextSample[] = [
  {
    form: 'Exim, a quoted reply',
    subject: 'Mail delivery failed: returning message to sender',
    from: 'Mail Delivery System <Mailer-Daemon@mx.sender.example>',
    text: `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ann@example.org
    SMTP error from remote mail server after RCPT TO:<ann@example.org>:
    host mx1.example.org [192.0.2.25]: 550 5.1.1 <ann@example.org>:
    Recipient address rejected: User unknown in local recipient table

------ This is a copy of the message, including all the headers. ------

Return-path: <bounces@sender.example>
Received: from app.sender.example
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Exim, its own words',
    subject: 'Mail delivery failed: returning message to sender',
    text: `A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ann@example.org
    Unrouteable address

------ This is a copy of your message, including all the headers. ------
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Exim, the address stands behind an alias',
    subject: 'Mail delivery failed: returning message to sender',
    text: `A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  dead@old.example.net
    (generated from ann@example.org)
    SMTP error from remote mail server after RCPT TO:<dead@old.example.net>:
    host mx.old.example.net [192.0.2.31]: 550 No such user
`,
    expect: 'email.failed',
    reason: 'forward_failed',
  },
  {
    form: 'Exim, the mailbox is full',
    subject: 'Mail delivery failed: returning message to sender',
    text: `The following address(es) failed:

  ann@example.org
    mailbox is full: retry timeout exceeded
`,
    expect: 'email.failed',
    reason: 'mailbox_full',
  },
  {
    form: 'Exim, refused after the data as spam',
    subject: 'Mail delivery failed: returning message to sender',
    text: `A message that you sent could not be delivered to all of its recipients.
The following address(es) failed:

  ann@example.org
    SMTP error from remote mail server after end of data:
    host mx1.example.org [192.0.2.25]: 554 5.7.1 This looks like spam
`,
    expect: 'email.failed',
    reason: 'spam_rejected',
  },
  {
    form: 'Exim, a delay',
    subject: 'Warning: message 1kX-00 delayed 24 hours',
    text: `A message that you sent has not yet been delivered to one or more of its
recipients after more than 24 hours on the queue on mx.sender.example.

The address to which the message has not yet been delivered is:

  ann@example.org
    host mx1.example.org [192.0.2.25]: 451 4.3.0 Try later

No action is required on your part. Delivery attempts will continue for
some time, and this warning may be repeated at intervals.
`,
    expect: 'none',
  },
  {
    form: 'qmail, no mailbox',
    subject: 'failure notice',
    text: `Hi. This is the qmail-send program at mx.sender.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ann@example.org>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

Return-Path: <bounces@sender.example>
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'qmail, a remote host',
    subject: 'failure notice',
    text: `Hi. This is the qmail-send program at mx.sender.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ann@example.org>:
192.0.2.25 does not like recipient.
Remote host said: 550 <ann@example.org>: unknown user account
Giving up on 192.0.2.25.

--- Below this line is a copy of the message.
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'qmail, over quota',
    subject: 'failure notice',
    text: `Hi. This is the qmail-send program at mx.sender.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ann@example.org>:
The users mailfolder is over the allowed quota (size). (#5.2.2)
`,
    expect: 'email.failed',
    reason: 'mailbox_full',
  },
  {
    form: 'qmail, another host is missing',
    subject: 'failure notice',
    text: `Hi. This is the qmail-send program at mx.sender.example.
I'm afraid I wasn't able to deliver your message to the following addresses.

<ann@example.org>:
Sorry, I couldn't find any host named relay.example.net. (#5.1.2)
`,
    expect: 'email.failed',
    reason: 'dns_failure',
  },
  {
    form: 'qmail, gave up after a temporary error',
    subject: 'failure notice',
    text: `Hi. This is the qmail-send program at mx.sender.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ann@example.org>:
Sorry, I wasn't able to establish an SMTP connection. (#4.4.1)
I'm not going to try again; this message has been in the queue too long.
`,
    expect: 'email.failed',
  },
  {
    form: 'Sendmail, a transcript',
    subject: 'Returned mail: User unknown',
    from: 'Mail Delivery Subsystem <MAILER-DAEMON@mx.sender.example>',
    text: `The original message was received at Sat, 21 Nov 2026 05:00:00 +0100
from app.sender.example [192.0.2.10]

   ----- The following addresses had permanent fatal errors -----
<ann@example.org>

   ----- Transcript of session follows -----
... while talking to mx1.example.org.:
>>> RCPT To:<ann@example.org>
<<< 550 5.1.1 <ann@example.org>... User unknown
550 <ann@example.org>... User unknown

   ----- Original message follows -----
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Sendmail, a transcript that names the quota first',
    subject: 'Returned mail: see transcript for details',
    text: `   ----- The following addresses had permanent fatal errors -----
<ann@example.org>
    (reason: 552 Mailbox quota exceeded)

   ----- Transcript of session follows -----
... while talking to mx1.example.org.:
>>> DATA
<<< 552 Mailbox quota exceeded
554 5.0.0 Service unavailable
`,
    expect: 'email.failed',
    reason: 'mailbox_full',
  },
  {
    form: 'Sendmail, a warning',
    subject: 'Warning: could not send message for past 4 hours',
    text: `    **********************************************
    **      THIS IS A WARNING MESSAGE ONLY      **
    **  YOU DO NOT NEED TO RESEND YOUR MESSAGE  **
    **********************************************

   ----- Transcript of session follows -----
<ann@example.org>... Deferred: Connection refused by mx1.example.org.
Warning: message still undelivered after 4 hours
Will keep trying until message is 5 days old
`,
    expect: 'none',
  },
  {
    form: 'Courier',
    subject: 'NOTICE: mail delivery status.',
    text: `This is a delivery status notification from mx.sender.example.

                           UNDELIVERABLE MAIL

Your message to the following recipients cannot be delivered:

<ann@example.org>:
    mx1.example.org [192.0.2.25]:
>>> RCPT TO:<ann@example.org>
<<< 550 User does not exist.

---------------------------------------------------------------------------
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Postfix, without its machine-readable part',
    subject: 'Undelivered Mail Returned to Sender',
    text: `This is the mail system at host mx.sender.example.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

                   The mail system

<ann@example.org>: host mx1.example.org[192.0.2.25] said: 550
    invalid content in message (in reply to end of DATA command)
`,
    expect: 'email.failed',
  },
  {
    form: 'Postfix, the local user is unknown',
    subject: 'Undelivered Mail Returned to Sender',
    text: `I'm sorry to have to inform you that your message could not
be delivered to one or more recipients.

<ann@example.org>: unknown user: "ann"
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Exim, its own words about the address behind an alias',
    subject: 'Mail delivery failed: returning message to sender',
    text: `The following address(es) failed:

  dead@old.example.net
    (generated from ann@example.org)
    Unrouteable address
`,
    expect: 'email.failed',
    reason: 'forward_failed',
  },
  {
    form: 'Sendmail, the sender is refused',
    subject: 'Returned mail: see transcript for details',
    text: `   ----- Transcript of session follows -----
... while talking to mx1.example.org.:
>>> MAIL From:<bounces@sender.example>
<<< 550 5.1.1 User unknown
550 5.1.1 ann@example.org... User unknown
`,
    expect: 'email.failed',
  },
]

import type { TextSample } from './text-sample.ts'

/** Exchange, Notes and other groupware. */
export const groupwareSamples: readonly TextSample[] = [
  {
    form: 'Exchange 5.5',
    subject: 'Undeliverable: News for November',
    from: 'System Administrator <postmaster@example.org>',
    text: `Your message

  To:      ann@example.org
  Subject: News for November
  Sent:    Sat, 21 Nov 2026 05:00:00 +0100

did not reach the following recipient(s):

ann@example.org on Sat, 21 Nov 2026 05:00:09 +0100
    The recipient name is not recognized
	The MTS-ID of the original message is: c=us;a= ;p=example;l=EX0126
    MSEXCH:IMS:EXAMPLE:SITE:EX01 0 (000C05A6) Unknown Recipient
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Exchange 2003, with advice',
    subject: 'Undeliverable: News for November',
    from: 'System Administrator <postmaster@example.org>',
    text: `Your message did not reach some or all of the intended recipients.

      Subject:	News for November
      Sent:	21.11.2026 05:00

The following recipient(s) could not be reached:

      ann@example.org on 21.11.2026 05:00
            The e-mail account does not exist at the organization this message was sent to.  Check the e-mail address, or contact the recipient directly to find out the correct address.
            <ex01.example.org #5.1.1>
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Exchange 2003, no permission',
    subject: 'Undeliverable: News for November',
    text: `The following recipient(s) could not be reached:

      ann@example.org on 21.11.2026 05:00
            You do not have permission to send to this recipient.  For assistance, contact your system administrator.
            <ex01.example.org #5.7.1 smtp;550 5.7.1 Unable to relay for ann@example.org>
`,
    expect: 'email.failed',
    reason: 'relay_denied',
  },
  {
    form: 'Notes, the user is not listed',
    subject: 'DELIVERY FAILURE: User ann (ann@example.org) not listed in Domino Directory',
    text: `Your message

  Subject: News for November

was not delivered to:

  ann@example.org

because:

  User ann (ann@example.org) not listed in Domino Directory
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Notes, several matches',
    subject: 'DELIVERY FAILURE: Recipient user name ann not unique',
    text: `Your message

  Subject: News for November

was not delivered to:

  ann@example.org

because:

  Recipient user name ann not unique.  Several matches found in Domino Directory.
`,
    expect: 'email.failed',
  },
  {
    form: 'GroupWise',
    subject: 'Message status - undeliverable',
    text: `The message that you sent was undeliverable to the following:
	ann@example.org (user not found)
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Notes, the reason before the recipient',
    subject: 'Delivery Failure Report',
    text: `Delivery Failure Report
Your document: News for November

------- Failure Reasons  --------

User not listed in public Name & Address Book
ann@example.org

------- Returned Message --------
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'a Windows server',
    subject: 'Message undeliverable: News',
    text: `Your message did not reach some or all of the intended recipients.

   Sent: Sat, 21 Nov 2026 05:00:00 +0100
   Subject: News

The following recipient(s) could not be reached:

ann@example.org
   Error Type: SMTP
   Remote server (192.0.2.25) issued an error.
   Server sent: RCPT TO:<ann@example.org>
   Remote server replied: 550 5.1.1 User unknown
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Sun, with a diagnostic code',
    subject: 'Delivery Notification: Delivery has failed',
    text: `Your message cannot be delivered to the following recipients:

  Recipient address: ann@example.org
  Reason: Remote SMTP server has rejected address
  Diagnostic code: smtp;550 5.1.1 Unknown user
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
]

import { bounced, crlf, failed, report, type ReportSample } from './report-sample.ts'

const plainReport = report(
  'Your mail was not delivered.',
  `Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; ann@example.org
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 User unknown`,
)

/** Written for this project, in formats that real servers use. */
export const reportSamples: readonly ReportSample[] = [
  {
    form: 'queue id, original recipient and a folded reply',
    mail: report(
      'Your mail could not be delivered to one address.\n\n<ann@example.org>: host mx1.example.org said:\n    550 5.1.1 User unknown',
      `Reporting-MTA: dns; mx.sender.example
X-Postfix-Queue-ID: 4F00A1
X-Postfix-Sender: rfc822; bounces@sender.example
Arrival-Date: Sat, 21 Nov 2026 03:59:58 +0000 (UTC)

Final-Recipient: rfc822; ann@example.org
Original-Recipient: rfc822;ann@example.org
Action: failed
Status: 5.1.1
Remote-MTA: dns; mx1.example.org
Diagnostic-Code: smtp; 550 5.1.1 <ann@example.org>: Recipient address rejected:
    User unknown in virtual mailbox table`,
    ),
    recipients: [bounced('ann@example.org')],
  },
  {
    form: 'several recipients, each with another result',
    mail: report(
      'Two of three addresses could not be reached.',
      `Reporting-MTA: dns; mx.sender.example

Final-Recipient: rfc822; ann@example.org
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 No such user here

Final-Recipient: rfc822; bob@example.net
Action: delayed
Status: 4.2.2
Will-Retry-Until: Thu, 26 Nov 2026 04:00:00 +0000
Diagnostic-Code: smtp; 452 4.2.2 Mailbox full

Final-Recipient: rfc822; cy@example.com
Action: failed
Status: 5.7.1
Diagnostic-Code: smtp; 554 5.7.1 Message rejected as spam`,
    ),
    recipients: [
      bounced('ann@example.org'),
      { recipient: 'bob@example.net', action: 'delayed', status: '4.2.2', event: 'none' },
      failed('cy@example.com', '5.7.1'),
    ],
  },
  {
    form: 'no space behind the type, angle brackets, capitals',
    mail: report(
      'Delivery has failed.',
      `REPORTING-MTA:DNS;EX01.example.org

FINAL-RECIPIENT:RFC822;<Ann.Smith@Example.ORG>
ACTION:Failed
STATUS:5.1.10
REMOTE-MTA:DNS;ex02.example.org
DIAGNOSTIC-CODE:SMTP;550 5.1.10 RecipientNotFound; Recipient not found by SMTP address lookup`,
    ),
    recipients: [bounced('Ann.Smith@Example.ORG', '5.1.10')],
  },
  {
    form: 'a comment behind the status, and a diagnosis that is no reply',
    mail: report(
      'The mailbox is full.',
      `Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; ann@example.org
Action: failed
Status: 5.2.2 (mailbox full)
Diagnostic-Code: X-Mailbox; over quota`,
    ),
    recipients: [failed('ann@example.org', '5.2.2')],
  },
  {
    form: 'no empty line in front of the first recipient',
    mail: report(
      'Delivery failed.',
      `Reporting-MTA: dns; mx.example.org
Final-Recipient: rfc822; ann@example.org
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 User unknown`,
    ),
    recipients: [bounced('ann@example.org')],
  },
  {
    form: 'the reply only in the part for people',
    mail: report(
      'The transcript:\n\n<ann@example.org>... 550 5.1.1 User unknown',
      `Reporting-MTA: dns; mx.example.org

Final-Recipient: RFC822; ann@example.org
Action: failed
Status: 5.0.0`,
    ),
    recipients: [bounced('ann@example.org', '5.0.0')],
  },
  {
    form: 'in base64',
    mail: report(
      'Delivery failed.',
      Buffer.from(
        'Reporting-MTA: dns; mx.example.org\r\n\r\nFinal-Recipient: rfc822; ann@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 User unknown\r\n',
      ).toString('base64'),
      'Content-Type: message/delivery-status\nContent-Transfer-Encoding: base64',
    ),
    recipients: [bounced('ann@example.org')],
  },
  {
    form: 'an international address (RFC 6533)',
    mail: report(
      'Zustellung fehlgeschlagen: müller@example.org',
      `Reporting-MTA: dns; mx.example.org

Final-Recipient: utf-8; müller@example.org
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 User unknown`,
      'Content-Type: message/global-delivery-status\nContent-Transfer-Encoding: 8bit',
    ),
    recipients: [bounced('müller@example.org')],
  },
  {
    form: 'inside a mail that passes it on',
    mail: crlf(`From: postmaster@sender.example
To: bounces@sender.example
Subject: Fwd: Delivery report
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=outer

--outer
Content-Type: text/plain

See below.
--outer
Content-Type: message/rfc822

${plainReport.replaceAll('\r\n', '\n')}
--outer--
`),
    recipients: [bounced('ann@example.org')],
  },
  {
    form: 'line feeds alone, and an unknown charset',
    mail: plainReport.replaceAll('\r\n', '\n').replace('charset=utf-8', 'charset=x-unknown'),
    recipients: [bounced('ann@example.org')],
  },
  {
    form: 'a mail that was given up after days',
    mail: report(
      'We gave up after five days.',
      `Reporting-MTA: dns; mx.sender.example

Final-Recipient: rfc822; ann@example.org
Action: failed
Status: 4.4.1
Diagnostic-Code: X-Queue; connect to mx1.example.org[192.0.2.25]:25: Connection timed out`,
    ),
    recipients: [failed('ann@example.org', '4.4.1')],
  },
  {
    form: 'a delay',
    mail: report(
      'Your mail is still in the queue.',
      `Reporting-MTA: dns; mx.sender.example

Final-Recipient: rfc822; ann@example.org
Action: delayed
Status: 4.4.7`,
    ),
    recipients: [{ recipient: 'ann@example.org', action: 'delayed', status: '4.4.7', event: 'none' }],
  },
  {
    form: 'a delivery, as the sender asked to be told',
    mail: report(
      'Your mail was delivered.',
      `Reporting-MTA: dns; mx.example.org

Original-Recipient: rfc822; ann@example.org
Final-Recipient: rfc822; ann@example.org
Action: delivered
Status: 2.0.0`,
    ),
    recipients: [
      { recipient: 'ann@example.org', action: 'delivered', status: '2.0.0', event: 'email.delivered' },
    ],
  },
  {
    form: 'a relay that does not trust the sender',
    mail: report(
      'Relaying was refused.',
      `Reporting-MTA: dns; mx.sender.example

Final-Recipient: rfc822; ann@example.org
Action: failed
Status: 5.7.1
Remote-MTA: dns; mx1.example.org
Diagnostic-Code: smtp; 554 5.7.1 <ann@example.org>: Relay access denied`,
    ),
    recipients: [failed('ann@example.org', '5.7.1')],
  },
  {
    form: 'a domain that does not exist',
    mail: report(
      'The domain was not found.',
      `Reporting-MTA: dns; mx.sender.example

Final-Recipient: rfc822; ann@gone.example
Action: failed
Status: 5.1.2
Diagnostic-Code: X-Lookup; Host or domain name not found. Name service error for name=gone.example type=A: Host not found`,
    ),
    recipients: [bounced('ann@gone.example', '5.1.2')],
  },
  {
    form: 'a message that is too large',
    mail: report(
      'The message is too large.',
      `Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; ann@example.org
Action: failed
Status: 5.3.4
Diagnostic-Code: smtp; 552 5.3.4 Message size exceeds fixed limit`,
    ),
    recipients: [failed('ann@example.org', '5.3.4')],
  },
]

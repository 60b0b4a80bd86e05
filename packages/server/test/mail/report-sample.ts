/** What a report says about one recipient, and the expected result. */
export interface SampleRecipient {
  readonly recipient: string
  readonly action: string | null
  readonly status: string | null
  /** `none`: the recipient has no outcome yet. */
  readonly event: 'email.bounced' | 'email.failed' | 'email.delivered' | 'none'
}

/** A delivery report in the format of one kind of mail server. */
export interface ReportSample {
  readonly form: string
  readonly mail: string
  readonly recipients: readonly SampleRecipient[]
}

/** A recipient whose address is dead. */
export const bounced = (recipient: string, status: string | null = '5.1.1'): SampleRecipient => ({
  recipient,
  action: 'failed',
  status,
  event: 'email.bounced',
})
/** A recipient who did not get the mail for another reason. */
export const failed = (recipient: string, status: string | null): SampleRecipient => ({
  recipient,
  action: 'failed',
  status,
  event: 'email.failed',
})

/** A report of three parts: for people, for programs, and the original mail. */
export function report(
  text: string,
  status: string,
  statusHeaders = 'Content-Type: message/delivery-status',
): string {
  return crlf(`From: Mail Delivery System <MAILER-DAEMON@mx.example.org>
To: <bounces@sender.example>
Subject: Delivery report
Date: Sat, 21 Nov 2026 04:00:00 +0000
Message-ID: <report-1@mx.example.org>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="=_report"

This is a MIME message.

--=_report
Content-Description: For people
Content-Type: text/plain; charset=utf-8

${text}

--=_report
Content-Description: Delivery report
${statusHeaders}

${status}

--=_report
Content-Description: The mail
Content-Type: text/rfc822-headers

From: news@sender.example
To: ann@example.org
Subject: News for November

--=_report--
`)
}

/** Mail has CRLF line ends. */
export function crlf(text: string): string {
  return text.replaceAll('\n', '\r\n')
}

/** A delivery status notification with these groups, as Postfix writes it. */
export function bounceMail(to: string, groups: readonly string[]): string {
  return [
    'From: MAILER-DAEMON@mx.example.org',
    `To: ${to}`,
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain; charset=no-such-charset',
    '',
    'This is the mail system.',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.org',
    '',
    ...groups.flatMap(group => [group, '']),
    '--b--',
    '',
  ].join('\r\n')
}

/** The group of one recipient. */
export function statusGroup(
  recipient: string,
  { action = 'failed', status = '5.1.1', code = 'smtp; 550 5.1.1 User unknown' } = {},
): string {
  return [
    `Final-Recipient: rfc822; ${recipient}`,
    `Action: ${action}`,
    `Status: ${status}`,
    'Remote-MTA: dns; mx1.example.org',
    `Diagnostic-Code: ${code}`,
  ].join('\r\n')
}

/** An abuse report (RFC 5965) about a mail with these headers. */
export function complaintMail(headers: readonly string[], feedbackType = 'abuse', encoding = '7bit'): string {
  const original = [...headers, 'Subject: Your receipt', '', 'Hello'].join('\r\n')
  return [
    'From: fbl@provider.example',
    'To: abuse@mail.acme.test',
    'Content-Type: multipart/report; report-type=feedback-report; boundary="b"',
    '',
    '--b',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${feedbackType}`,
    'User-Agent: Provider/1.0',
    'Version: 1',
    '',
    '--b',
    'Content-Type: message/rfc822',
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    encoding === 'base64' ? Buffer.from(original).toString('base64') : original,
    '--b--',
    '',
  ].join('\r\n')
}

/** A complaint without a report part: a mail with the original attached. */
export function bareComplaint(
  subject: string,
  headers: readonly string[],
  original: readonly string[],
): string {
  return [
    'From: staff@provider.example',
    'To: abuse@mail.acme.test',
    `Subject: ${subject}`,
    ...headers,
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: message/rfc822',
    '',
    ...original,
    'Subject: Your receipt',
    '',
    'Hello',
    '--b--',
    '',
  ].join('\r\n')
}

/** A mail from a person or a mail program, to unsubscribe. */
export function plainMail(to: string, headers: readonly string[] = []): string {
  return [
    'From: somebody.else@example.net',
    `To: ${to}`,
    'Subject: unsubscribe',
    ...headers,
    '',
    'unsubscribe',
    '',
  ].join('\r\n')
}

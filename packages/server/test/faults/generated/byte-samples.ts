import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { at } from '../../cli/ingest/read-lines.ts'
import { reportSamples } from '../../mail/report-samples.ts'
import { bounceMail, complaintMail, plainMail, statusGroup } from '../../sources/mails.ts'
import { spoiled } from './spoil.ts'

/** Valid input from outside. Tests mutate it to get invalid input. */
const bytes = (texts: readonly string[]): Buffer[] => texts.map(text => Buffer.from(text, 'latin1'))
const token = 'a'.repeat(53)

export const answers = bytes([
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\nhello',
  'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
  'HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n\r\n5;a="b"\r\nhello\r\n0\r\nx-trailer: 1\r\n\r\n',
  'HTTP/1.0 429 Slow down\r\nRetry-After: 5\r\nSet-Cookie: a=b\r\nSet-Cookie: c=d\r\n\r\nuntil the end',
])
export const answerTokens = [
  '\r\n',
  '\n',
  '\r\n\r\n',
  'HTTP/1.1 ',
  '200',
  'content-length: 5\r\n',
  'transfer-encoding: chunked\r\n',
  'ffffffffffff\r\n',
  '\0',
  ' ',
]

export const headerLines = bytes([
  'x-tenant:acme',
  'authorization:Bearer abc',
  'x-a:',
  'host:example.com',
  'x-b: c',
])
export const headerTokens = [
  '\r\n',
  '\n',
  ':',
  '\0',
  '\t',
  ' ',
  'content-length',
  'transfer-encoding',
  'Expect',
  '\u00e9',
  '__proto__',
  'trailer',
]

const outcome = {
  type: 'email.delivered',
  outcome_id: 'o1',
  occurred_at: '2026-11-21T04:00:00Z',
  data: { email_id: 'em_1', to: ['ann@example.org'], metadata: { order: 1 } },
}
const raw = {
  disposition: 'permanent',
  email_id: 'em_1',
  recipient: 'ann@example.org',
  to: ['ann@example.org'],
  reply: { code: 550, enhanced_code: '5.1.1', text: 'User unknown' },
}
export const outcomeLines = bytes([
  JSON.stringify(outcome),
  [outcome, { ...outcome, type: 'email.bounced' }].map(one => JSON.stringify(one)).join('\n'),
  JSON.stringify(raw),
  '{"a":1}\r\n\n{"b":2}',
])
export const outcomeTokens = [
  '\n',
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  'null',
  '1e999',
  '-0',
  '\\ud800',
  '\\u0000',
  '"__proto__":',
  '"type":"email.failed"',
  '"account_id":"acct_01h455vb4pex5vsknk084sn02q"',
  '['.repeat(5_000),
]

export const postfixLines = bytes([
  at(
    1,
    'smtp',
    '4F00A1: to=<ann@example.org>, relay=mx[::1]:25, delay=0, delays=0/0/0/0, dsn=5.1.1, status=bounced (550 5.1.1 No)',
  ),
  at(
    1,
    'smtp',
    '4F00A1: to=<"a b"@example.org>, orig_to=<x@y.test>, relay=none, dsn=4.4.1, status=deferred (timed out)',
  ),
  at(2, 'qmgr', '4F00A1: from=<a@b.test>, status=expired, returned to sender'),
  at(2, 'cleanup', '4F00A1: message-id=<x@y.test>'),
  at(2, 'cleanup', '4F00A1: info: header X-Email-ID: a1 from mail.example.org[192.0.2.1]; from=<a@b.test>'),
  at(3, 'qmgr', '4F00A1: removed'),
  '<22>1 2026-11-21T04:00:01Z mx postfix/smtp 7 - - 4F00A1: to=<a@b.test>, relay=mx, dsn=2.0.0, status=sent (250 ok)',
])
export const postfixTokens = [
  'to=<',
  '>, ',
  '"',
  '\\',
  '(',
  ')',
  'status=sent',
  'dsn=5.1.1, ',
  'relay=',
  '\0',
  '\u001b',
  ': ',
  ', ',
  '<'.repeat(10_000),
]

const eximAt = '2026-11-21 04:00:01 1tDxyz-00000000AbC-1XyZ'
export const eximLines = bytes([
  `${eximAt} <= bounces+${token}@mail.acme.test H=(app) [192.0.2.5] P=esmtp S=812 id=x@y.test T="a => b"`,
  `${eximAt} => ann@example.org <x@y.test> R=dnslookup T=smtp H=mx [192.0.2.7] C="250 2.0.0 \\"OK\\""`,
  `${eximAt} ** "a: b"@example.org F=<a@b.test> R=r T=t H=mx [::1]:25: SMTP error: 550-5.1.1 No\\n550 No`,
  `${eximAt} == ann@example.org R=r T=t defer (-44) H=mx [192.0.2.7]: 451 4.7.1 Later`,
  `${eximAt} => |/bin/filter -x (b@y) <ann@acme.test> R=a T=pipe`,
  `Nov 21 04:00:01 mx exim[7]: [1/2] ${eximAt} Completed`,
  '2026-11-21 04:00:01 Start queue run: pid=7',
])
export const eximTokens = [
  '** ',
  '=> ',
  '== ',
  '<= ',
  ' H=mx [',
  ' C="',
  '"',
  '\\',
  ': ',
  ' <',
  '> ',
  '(',
  '\0',
  '[1/3] ',
]

export const mappedLines = bytes([
  'type,timeLogged,orig,rcpt,dsnStatus,dsnDiag,dsnMta',
  'b,2026-11-21 04:00:01+0000,a@b.test,ann@example.org,5.1.1,"smtp;550 ""No""",mx (192.0.2.7)',
  '{"hook":"bounce","to":["ann@example.org"],"from":"a@b.test","reply":"550 No","at":"2026-11-21T04:00:01Z"}',
  '{"events":[{"type":"delivery.delivered","data":{"from":"a@b.test","to":["ann@example.org"],"details":"Ok"}}]}',
  'Nov 21 04:00:01 mx smtpd[7]: 5d mta delivery from=<a@b.test> to=<ann@example.org> result="Ok" stat="250 Ok"',
])
export const mappedTokens = [
  '"',
  '""',
  ',',
  '{',
  '}',
  '[',
  ']',
  ':',
  '\\',
  ' to=<',
  '> ',
  'result="',
  'null',
  '\0',
  '"events":',
]

const record = {
  type: 'Bounce',
  id: '1d98076abbbc11ed94',
  sender: `bounces+${token}@bounces.acme.test`,
  recipient: ['ann@example.org'],
  response: {
    code: 550,
    enhanced_code: { class: 5, subject: 1, detail: 1 },
    content: 'No',
    command: 'RCPT TO:<a@b>',
  },
  peer_address: { name: 'mx1.example.org.', addr: '192.0.2.7' },
  timestamp: 1_795_233_601,
  num_attempts: 0,
  meta: { posthorn_email_id: 'em_1', posthorn_account_id: 'acct_01h455vb4pex5vsknk084sn02q' },
  headers: { 'Message-ID': '<x@y.test>' },
}
const feedback = {
  ...record,
  type: 'Feedback',
  feedback_report: {
    feedback_type: 'abuse',
    original_mail_from: record.sender,
    original_message: 'To: a@b\r\n',
  },
}
export const kumomtaRecords: fc.Arbitrary<Buffer> = spoiled(
  fc.constantFrom<unknown>(record, feedback, { ...record, type: 'OOB' }, { ...record, type: 'Delivery' }),
).map(one => Buffer.from(JSON.stringify(one) ?? 'null'))

export const signingSecret = 'whsec_test_0123456789abcdef0123456789abcdef'
export const signedAtSeconds = 1_700_000_000
const mac = createHmac('sha256', signingSecret).update(`${signedAtSeconds}.{}`).digest('hex')
export const signatureHeaders = bytes([
  `t=${signedAtSeconds},v1=${mac}`,
  `t=${signedAtSeconds},v1=${mac},v1s=${mac},v1s2=${mac}`,
  `v1=${mac}, t=${signedAtSeconds}`,
])
export const signatureTokens = [
  't=',
  'v1=',
  'v1s=',
  ',',
  '=',
  ' ',
  String(signedAtSeconds),
  mac,
  '__proto__=',
  '9'.repeat(400),
]

/** Reports, complaints and unsubscribe requests. */
export function mails(): Buffer[] {
  return [
    ...reportSamples.map(({ mail }) => mail),
    bounceMail(`bounces+${token}@bounces.acme.test`, [
      statusGroup('ann@example.org'),
      statusGroup('bob@example.org'),
    ]),
    complaintMail([`Return-Path: <bounces+${token}@bounces.acme.test>`]),
    complaintMail([`List-Unsubscribe: <mailto:unsub+${token}@bounces.acme.test>`], 'abuse', 'base64'),
    plainMail(`unsub+${token}@bounces.acme.test`, ['Auto-Submitted: no']),
    'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: =?utf-8?B?w6Q=?=\r\n\r\n--b--',
  ].map(text => Buffer.from(text))
}
export const mailTokens = [
  '\r\n',
  '\r\n\r\n',
  '--b',
  '--b--',
  'Content-Type: message/delivery-status\r\n',
  'Content-Type: multipart/report; boundary="b"\r\n',
  'Content-Type: message/rfc822\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  'charset=utf-7',
  '=?utf-8?Q?=',
  'Final-Recipient: rfc822; ',
  'Status: 5.1.1\r\n',
  '\0',
  'x'.repeat(2_000),
]

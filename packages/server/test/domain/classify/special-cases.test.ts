import { expect, test } from 'vitest'
import { classify } from '../../../src/domain/classify/classify.ts'
import type { RawOutcome } from '../../../src/domain/classify/raw-outcome.ts'

const permanent = (reply: RawOutcome['reply'], more: Partial<RawOutcome> = {}) =>
  classify({ disposition: 'permanent', reply, ...more })

test.each([
  ['accepted', 'email.delivered', 'accepted'],
  ['temporary', null, 'temporary'],
  ['suppressed', 'email.failed', 'recipient_suppressed'],
  ['cancelled', 'email.failed', 'cancelled'],
  ['expired', 'email.failed', 'delivery_expired'],
  ['signing_error', 'email.failed', 'dkim_signing_failed'],
  ['complaint', 'email.unsubscribed', 'complaint'],
  ['unsubscribe', 'email.unsubscribed', 'api'],
] as const)('the disposition alone decides the outcome: %s', (disposition, event, reason) => {
  expect(classify({ disposition })).toMatchObject({ event, reason })
})

test.each(['suppressed', 'cancelled', 'signing_error', 'expired'] as const)(
  '%s is never a bounce, even with a 550 5.1.1 reply',
  disposition => {
    expect(classify({ disposition, reply: { text: '550 5.1.1 User unknown' } }).event).toBe('email.failed')
  },
)

test.each([
  ['code', { code: 250, enhancedCode: '5.1.1', text: 'ok' }],
  ['text', { text: '250 2.0.0 Ok: queued; user unknown' }],
])('a permanent failure with a 250 reply is not a bounce: %s', (_where, reply) => {
  expect(permanent(reply)).toMatchObject({ event: 'email.failed' })
})

test('a signing failure affects the whole message', () => {
  expect(
    classify({ disposition: 'signing_error', reply: { text: 'no key for the selector' } }),
  ).toMatchObject({
    data: { scope: 'message', failure: { category: 'signing', reason: 'dkim_key_missing' } },
  })
})

test('without a disposition, the reply code decides', () => {
  expect(classify({ reply: { text: '250 2.0.0 OK' } }).event).toBe('email.delivered')
  expect(classify({ stage: 'rcpt_to', reply: { code: 250 } })).toMatchObject({ reason: 'not_an_outcome' })
  expect(classify({ reply: { code: 354 } })).toMatchObject({ reason: 'not_an_outcome' })
  expect(classify({ reply: { code: 451 } })).toMatchObject({ reason: 'temporary' })
  expect(classify({})).toMatchObject({ reason: 'not_an_outcome' })
  expect(classify({ disposition: 'accepted', reply: { code: 550 } })).toMatchObject({
    reason: 'not_an_outcome',
  })
})

test.each([
  [
    'X-Postfix; Host or domain name not found. Name service error for name=x.example type=A: Host not found',
    'invalid_domain',
  ],
  ['unknown; No such domain.', 'invalid_domain'],
  ['Domain does not exist', 'invalid_domain'],
  ['X-Postfix; Domain x.example does not accept mail (nullMX)', 'domain_not_accepting_mail'],
])('the resolver of the reporting system proved it: %s', (text, reason) => {
  expect(permanent({ text, reportedStatus: '5.0.0' }, { recipientDomain: 'x.example' })).toMatchObject({
    event: 'email.bounced',
    reason,
    data: { bounce: { evidence: 'dns' } },
  })
})

test.each([
  ['X-Postfix; Name service error for name=x.example type=MX: Host not found, try again', '5.4.4'],
  [
    'X-Postfix; Name service error for name=x.example type=MX: Malformed or unexpected name server reply',
    '5.4.4',
  ],
  ['dns; SERVFAIL', '5.4.4'],
  ['', '5.4.4'],
  ['DNS type mx lookup responded with NXDOMAIN', '4.0.0'],
])('an inconclusive DNS result is not a bounce: %s', (text, reportedStatus) => {
  expect(permanent({ text, reportedStatus }).event).toBe('email.failed')
})

test('a remote server’s claim that a domain does not exist is not a bounce', () => {
  expect(permanent({ text: '550 5.7.1 Domain not found' }).event).toBe('email.failed')
  expect(permanent({ text: '550 Domain does not exist' }).event).toBe('email.failed')
})

test('a failure at an address the mail was forwarded to is never a bounce', () => {
  for (const text of ['550 5.1.1 User unknown', '550 No such user', '556', '550 5.1.2 Domain not found']) {
    expect(permanent({ text }).event).toBe('email.bounced')
    expect(permanent({ text }, { isForwarded: true })).toMatchObject({
      event: 'email.failed',
      reason: 'forward_failed',
    })
  }
})

test('the innermost reply counts, not the text wrapped around it', () => {
  const wrapped =
    "smtp; 5.1.0 - Unknown address error 550-'5.7.1 <a@example.org>... Access denied' (delivery attempts: 0)"
  expect(permanent({ text: wrapped, reportedStatus: '5.0.0' })).toMatchObject({
    event: 'email.failed',
    reason: 'access_denied',
  })
  expect(permanent({ text: 'smtp; 550 5.1.1 User Unknown', reportedStatus: '5.0.0' }).event).toBe(
    'email.bounced',
  )
  expect(permanent({ text: 'smtp; 552 5.2.2 Over quota', reportedStatus: '5.1.1' })).toMatchObject({
    reason: 'mailbox_full',
  })
})

test('a status that was only derived from the reply code is not evidence of a bounce', () => {
  expect(permanent({ text: 'smtp; 550 Not today', reportedStatus: '5.1.1' }).event).toBe('email.failed')
  expect(permanent({ text: 'smtp; 550 Unknown user', reportedStatus: '5.1.1' }).event).toBe('email.bounced')
  expect(permanent({ code: 550, enhancedCode: '5.1.1', text: 'Not today' }).event).toBe('email.bounced')
})

test('a permanent failure with status 4.x.x or 5.4.7 counts as expired', () => {
  expect(permanent({ text: 'smtp; 450 4.1.1 User unknown', reportedStatus: '4.4.7' })).toMatchObject({
    event: 'email.failed',
    data: { failure: { expired: true } },
  })
  expect(classify({ reply: { text: '551 5.4.7 delivery time expired' } })).toMatchObject({
    reason: 'delivery_expired',
    data: { failure: { expired: true } },
  })
})

test.each([
  '250 2.0.0 Saved: 550 bytes',
  '250 2.1.5 Delivered (550 ms)',
  '250 OK id=1abc; 421 left in the queue',
  '250-2.0.0 Stored: 552 bytes\n250 2.0.0 Ok',
])('a number in a reply that accepts the mail is not a refusal: %j', text => {
  for (const disposition of ['accepted', undefined] as const) {
    expect(classify({ disposition, reply: { text } })).toMatchObject({
      event: 'email.delivered',
      data: { smtp_response: { code: 250 } },
    })
  }
})

test('a rejection that follows a 250 reply counts', () => {
  expect(permanent({ text: '250 2.1.0 Ok\n550 5.1.1 User unknown' }).event).toBe('email.bounced')
  expect(permanent({ text: '250 ok\n550 No such user here' }).event).toBe('email.bounced')
})

test('an accepted mail can bounce later through an asynchronous report', () => {
  expect(permanent({ text: '550 5.1.1' }, { timing: 'asynchronous' })).toMatchObject({
    data: { bounce: { type: 'permanent', timing: 'asynchronous', evidence: 'enhanced_status_code' } },
  })
})

test('the reply is shown on one line, with its codes and the SMTP command as separate fields', () => {
  const text =
    'host mx[192.0.2.1] said: 550-5.1.1 The account\r\n550-5.1.1 does not\u0007 exist\r\n550 5.1.1 here. (in reply to RCPT TO command)'
  expect(classify({ reply: { text } })).toMatchObject({
    data: { smtp_response: { code: 550, enhanced_code: '5.1.1', command: 'RCPT TO' } },
  })
  const plain = classify({ reply: { text: '550-5.1.1 The account\n550 5.1.1 does not exist' } })
  expect(plain).toMatchObject({ data: { smtp_response: { message: 'The account does not exist' } } })
})

test('hostile text is classified in under a second, and the result has a bounded size', () => {
  for (const piece of [
    'user ',
    '5.',
    '550 ',
    '<',
    'a@',
    'a.',
    'address unknown ',
    'not ',
    '((',
    'check and ',
  ]) {
    const started = performance.now()
    const found = classify({ reply: { code: 550, text: piece.repeat(200_000) } })
    expect(performance.now() - started).toBeLessThan(1_000)
    expect(JSON.stringify(found).length).toBeLessThan(8_000)
  }
})

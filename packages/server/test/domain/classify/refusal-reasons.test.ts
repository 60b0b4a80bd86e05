import { expect, test } from 'vitest'
import type { Classification } from '../../../src/domain/classify/classification.ts'
import { classify } from '../../../src/domain/classify/classify.ts'

const said = (text: string): Classification => classify({ disposition: 'permanent', reply: { text } })

test.each([
  '550 5.7.1 Recipient not found in allow list',
  '550 5.7.1 <ann@example.org>: recipient not found in the list of allowed addresses',
  '550 5.1.1 Recipient is not on the whitelist: unknown',
  '550 Recipient not in access list',
  '550 5.7.1 Unknown recipient: not in approved recipients list',
])('a missing entry in an allow list is a policy failure, not a bounce: %s', text => {
  expect(said(text)).toMatchObject({ event: 'email.failed', data: { failure: { category: 'policy' } } })
})

test.each([
  ['554 5.0.0 Message has been in the queue too long', 'delivery_expired'],
  ['552 5.1.1 The user has reached disk quota', 'mailbox_full'],
  ['550 This account exceeded its disk space limit', 'mailbox_full'],
  ['550 5.1.1 The user has too many messages on the server', 'mailbox_full'],
  ['550 5.7.1 Content filter rejection', 'spam_rejected'],
  ['550 5.7.1 Bulk email is not accepted', 'spam_rejected'],
  ['550 5.7.1 Message contains a link listed by URIBL', 'spam_rejected'],
  ['554 5.7.1 Service unavailable; see multi.uribl.com', 'spam_rejected'],
  ['550 5.7.515 Access denied, the sending domain does not meet the required level', 'authentication_failed'],
  ['554 Blocked - see https://blocks.example.com/?ip=192.0.2.10', 'ip_blocked'],
  ['553 Exceeded maximum size', 'message_too_large'],
])('the text decides the failure reason: %s → %s', (text, reason) => {
  expect(said(text)).toMatchObject({ event: 'email.failed', reason })
})

test('a mail that stayed in the queue too long is expired, and its last reply gives the reason', () => {
  expect(said('554 5.0.0 Message has been in the queue too long')).toMatchObject({
    data: { failure: { expired: true, retryable: true } },
  })
  const text = '421 4.7.0 Messages from 192.0.2.10 deferred due to user complaints'
  expect(classify({ disposition: 'expired', reply: { text } })).toMatchObject({
    event: 'email.failed',
    reason: 'reputation_blocked',
    data: { failure: { expired: true } },
  })
})

test.each([
  '550 No mail box available for this user',
  '550 ann@example.org is not an active address at this host',
  '550 BAD_RECIPIENT',
  '550: <ann@example.org>: User unknown',
])('a clear statement that the address is invalid is a bounce: %s', text => {
  expect(said(text)).toMatchObject({ event: 'email.bounced', reason: 'invalid_recipient' })
})

test.each([
  '550 No mail box available for this user: over quota',
  '550 Your server is not an active address at this host',
  '550 Sender address is not an active address at this host',
  '550 Too many bad recipients',
  '550 BAD_RECIPIENT, blocked by policy',
  '550 Bad recipient domain policy',
])('a text with another cause or subject is not a bounce: %s', text => {
  expect(said(text).event).toBe('email.failed')
})

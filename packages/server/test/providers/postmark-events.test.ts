import { expect, test } from 'vitest'
import { fromPostmark } from '../../src/providers/from-postmark.ts'
import { outcomeOf } from './outcome-of.ts'
import { postmarkBounce, postmarkDelivery, postmarkEvent } from './samples/postmark.ts'

const judged = (event: unknown) => outcomeOf(fromPostmark(event, outcomeOf.accountId))
const bounce = (type: string, given: object = {}) => judged(postmarkBounce(type, given))

test('the reply decides whether a bounce of Postmark is one, not its type', () => {
  expect(bounce('SoftBounce')).toMatchObject({
    type: 'email.bounced',
    data: { email_id: 'order-77', to: ['ann@example.org'], occurred_at: '2026-11-21T04:00:01.123Z' },
  })
  expect(bounce('HardBounce', { Details: 'smtp;552 5.2.2 Mailbox full' })).toMatchObject({
    type: 'email.failed',
    data: { failure: { reason: 'mailbox_full' } },
  })
})

test('the examples in the description of a type are not taken for the reply', () => {
  const descriptions = [
    'The server was unable to deliver your message (ex: unknown user, mailbox not found).',
    'Unable to temporarily deliver message (i.e. mailbox full, account disabled, exceeds quota, out of disk space).',
  ]
  for (const Description of descriptions) {
    expect(bounce('HardBounce', { Details: '', Description })).toMatchObject({
      type: 'email.failed',
      data: { failure: { reason: 'unspecified' } },
    })
  }
})

test('a transient bounce counts only if the reply is final', () => {
  for (const type of ['Transient', 'DnsError']) {
    expect(bounce(type, { Details: 'smtp;421 4.4.1 Connection timed out' })).toMatchObject({
      type: 'email.deferred',
    })
    expect(bounce(type, { Details: '' })).toBe('not_an_outcome')
    expect(bounce(type, { Details: 'smtp;554 5.4.4 Host not found' })).toMatchObject({ type: 'email.failed' })
  }
})

test('an auto-reply, a challenge and other mail is no outcome', () => {
  const types = [
    'AutoResponder',
    'AddressChange',
    'ChallengeVerification',
    'Subscribe',
    'InboundError',
    'New',
  ]
  for (const type of types) expect(bounce(type)).toBe('not_an_outcome')
  for (const kind of ['Open', 'Click', 'Inbound']) expect(judged(postmarkEvent(kind))).toBe('not_an_outcome')
})

test('a delivery keeps the reply of the receiving server', () => {
  expect(judged(postmarkEvent('Delivery', postmarkDelivery))).toMatchObject({
    type: 'email.delivered',
    data: { smtp_response: { code: 250, enhanced_code: '2.0.0' }, occurred_at: '2026-11-21T04:00:01.000Z' },
  })
})

test('a spam complaint and an unsubscription become email.unsubscribed, once each', () => {
  const complaint = { type: 'email.unsubscribed', data: { unsubscribe: { source: 'complaint' } } }
  expect(judged({ ...postmarkBounce('SpamComplaint'), RecordType: 'SpamComplaint' })).toMatchObject(complaint)
  const change = { ChangedAt: '2026-11-21T04:00:01Z', Origin: 'Recipient', SuppressSending: true }
  const reason = (SuppressionReason: string, given: object = {}) =>
    judged(postmarkEvent('SubscriptionChange', { ...change, SuppressionReason, ...given }))
  expect(reason('ManualSuppression')).toMatchObject({
    type: 'email.unsubscribed',
    data: { unsubscribe: { source: 'api' } },
  })
  expect(reason('HardBounce')).toBe('not_an_outcome')
  expect(reason('SpamComplaint')).toBe('not_an_outcome')
  expect(reason('ManualSuppression', { Origin: 'Customer' })).toBe('not_an_outcome')
  expect(reason('', { SuppressSending: false })).toBe('not_an_outcome')
})

test('the same event has the same outcome id, and each event has its own', () => {
  const idOf = (event: object) => {
    const outcome = judged(event)
    return typeof outcome === 'string' ? outcome : outcome.outcomeId
  }
  const [first, second] = [postmarkBounce('HardBounce'), postmarkBounce('HardBounce')]
  expect(idOf({ ...first })).toBe(idOf(first))
  expect(idOf(second)).not.toBe(idOf(first))
  const delivery = postmarkEvent('Delivery', postmarkDelivery)
  expect(idOf({ ...delivery })).toBe(idOf(delivery))
  expect(idOf({ ...delivery, Recipient: 'bob@example.org' })).not.toBe(idOf(delivery))
})

test('without metadata, email_id is the MessageID of Postmark', () => {
  expect(bounce('HardBounce', { Metadata: {} })).toMatchObject({
    data: { email_id: '5c1b6a50-2f53-4f5e-9f6e-0d8a7a3f1b77' },
  })
  const none = { Metadata: null, MessageID: '00000000-0000-0000-0000-000000000000' }
  expect(bounce('HardBounce', none)).toBe('foreign')
})

test('nonsense is ignored as malformed, and never throws', () => {
  for (const body of [null, 7, 'text', [], {}, { RecordType: {} }]) {
    expect(judged(body)).toBe('malformed')
  }
  expect(bounce('HardBounce', { Email: 7 })).toBe('malformed')
  expect(bounce('HardBounce', { Email: 'no address' })).toBe('malformed')
  expect(bounce('HardBounce', { Details: {}, BouncedAt: 'yesterday', ID: {}, Metadata: [] })).toMatchObject({
    type: 'email.failed',
  })
})

import { expect, test } from 'vitest'
import { fromPostal } from '../../src/providers/from-postal.ts'
import { outcomeOf } from './outcome-of.ts'
import { postalEvent } from './samples/postal.ts'

const judged = (kind: string, payload: object = {}, message: object = {}) =>
  outcomeOf(fromPostal(postalEvent(kind, payload, message), outcomeOf.accountId))

const details = 'Permanent SMTP delivery error when sending to mx1.example.org (192.0.2.7)'

test('the reply decides whether a failure of Postal is a bounce', () => {
  const unknown = { status: 'HardFail', details, output: '550 5.1.1 <ann@example.org>: User unknown' }
  expect(judged('MessageDeliveryFailed', unknown)).toMatchObject({
    type: 'email.bounced',
    data: { email_id: 'order-77', to: ['ann@example.org'], occurred_at: '2026-11-21T04:00:01.000Z' },
  })
  const refused = { status: 'HardFail', details, output: '554 5.7.1 Client host blocked using a blocklist' }
  expect(judged('MessageDeliveryFailed', refused)).toMatchObject({ type: 'email.failed' })
})

test('a failure without a reply is not a bounce, and a last attempt is an expiry', () => {
  const held = { details: 'Message is likely spam. Threshold is 5.1 and the message scored 5.5.', output: '' }
  expect(judged('MessageDeliveryFailed', held)).toMatchObject({ type: 'email.failed' })
  const last = {
    details:
      'Maximum number of delivery attempts (18) has been reached. Added ann@example.org to suppression list because delivery has failed 18 times.',
    output: '',
  }
  expect(judged('MessageDeliveryFailed', last)).toMatchObject({
    type: 'email.failed',
    data: { failure: { expired: true } },
  })
})

test('a bounce message whose text Postal does not report is not a bounce', () => {
  expect(judged('MessageBounced')).toMatchObject({ type: 'email.failed', data: { email_id: 'order-77' } })
})

test('a held message counts only if the address is suppressed', () => {
  const suppressed = {
    details: 'Recipient (ann@example.org) is on the suppression list (reason: too many hard fails)',
  }
  expect(judged('MessageHeld', suppressed)).toMatchObject({
    type: 'email.failed',
    data: { failure: { reason: 'recipient_suppressed' } },
  })
  expect(judged('MessageHeld', { details: 'Server is in development mode.' })).toBe('not_an_outcome')
})

test('a delivery keeps the reply of the receiving server', () => {
  const sent = { details: 'Message for ann@example.org accepted', output: '250 2.0.0 OK queued as 9F2C1\n' }
  expect(judged('MessageSent', sent)).toMatchObject({
    type: 'email.delivered',
    data: { smtp_response: { code: 250, enhanced_code: '2.0.0' } },
  })
})

test('what is not a final result of outgoing mail is ignored', () => {
  expect(judged('MessageDelayed', { output: '450 4.2.1 Try again later' })).toMatchObject({
    type: 'email.deferred',
    data: { smtp_response: { code: 450 } },
  })
  for (const kind of ['MessageLoaded', 'MessageLinkClicked', 'DomainDNSError', 'SendLimitExceeded']) {
    expect(judged(kind)).toBe('not_an_outcome')
  }
  expect(judged('MessageSent', {}, { direction: 'incoming' })).toBe('not_an_outcome')
})

test('without a tag for it, email_id is the Message-ID', () => {
  expect(judged('MessageSent', {}, { tag: 'receipt' })).toMatchObject({
    data: { email_id: '1f0c8d9e-77aa-4c55-9a3b-6b1b1f0f4d21@rp.postal.test' },
  })
  const id = 'em_01kas3r5d8e8h9bq0x4v7m2n6p'
  const ofPosthorn = { tag: null, message_id: `${id}@shop.test` }
  expect(judged('MessageSent', {}, ofPosthorn)).toMatchObject({
    data: { email_id: id, message_id: `${id}@shop.test` },
  })
  expect(judged('MessageSent', {}, { tag: null, message_id: null })).toBe('foreign')
})

test('nonsense is ignored as malformed, and never throws', () => {
  for (const body of [null, 7, 'text', [], {}, { event: [] }]) {
    expect(outcomeOf(fromPostal(body, outcomeOf.accountId))).toBe('malformed')
  }
  expect(judged('MessageSent', {}, { to: 7 })).toBe('malformed')
  expect(judged('MessageSent', {}, { to: 'no address' })).toBe('malformed')
  const noId = { ...postalEvent('MessageSent'), uuid: null }
  expect(outcomeOf(fromPostal(noId, outcomeOf.accountId))).toBe('malformed')
  const bare = { event: 'MessageSent', payload: 'none', uuid: 'a' }
  expect(outcomeOf(fromPostal(bare, outcomeOf.accountId))).toBe('foreign')
})

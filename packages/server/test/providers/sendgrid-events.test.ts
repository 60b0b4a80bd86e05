import { expect, test } from 'vitest'
import { fromSendgrid } from '../../src/providers/from-sendgrid.ts'
import { outcomeOf } from './outcome-of.ts'
import { sendgridEvent } from './samples/sendgrid.ts'

const one = (event: string, given: object = {}) =>
  outcomeOf(fromSendgrid([sendgridEvent(event, given)], outcomeOf.accountId))

test('the reply decides whether a bounce of SendGrid is one, not its type or classification', () => {
  const unknown = { reason: '550 5.1.1 <ann@example.org>: User unknown', status: '5.1.1', type: 'blocked' }
  expect(one('bounce', unknown)).toMatchObject({
    type: 'email.bounced',
    data: { email_id: 'order-77', to: ['ann@example.org'], occurred_at: '2026-11-21T04:00:01.000Z' },
  })
  const spam = {
    reason: '550 5.7.1 Message rejected as spam by content filter',
    status: '5.7.1',
    type: 'bounce',
    bounce_classification: 'Invalid Address',
  }
  expect(one('bounce', spam)).toMatchObject({
    type: 'email.failed',
    data: { failure: { reason: 'spam_rejected' } },
  })
})

test('a bounce after temporary problems, or without a reply, is not a bad address', () => {
  const late = { reason: '452 4.2.2 The mailbox is over quota', status: '4.2.2', type: 'blocked' }
  expect(one('bounce', late)).toMatchObject({ type: 'email.failed', data: { failure: { expired: true } } })
  expect(one('bounce', { bounce_classification: 'Invalid Address', type: 'bounce' })).toMatchObject({
    type: 'email.failed',
  })
})

test('a status that only repeats the reply code of a refusal is no proof', () => {
  const listed = { reason: '550 Service unavailable, client host blocked', status: '5.1.1' }
  expect(one('bounce', listed)).toMatchObject({ type: 'email.failed' })
})

test('a delivery keeps the reply of the receiving server', () => {
  expect(one('delivered', { response: '250 2.0.0 OK 1795233601 k7si99 - gsmtp' })).toMatchObject({
    type: 'email.delivered',
    data: { message_id: 'receipt-77@shop.test', smtp_response: { code: 250, enhanced_code: '2.0.0' } },
  })
})

test('an email that SendGrid dropped was not sent, and proves nothing about the address', () => {
  for (const reason of ['Bounced Address', 'Unsubscribed Address', 'Spam Reporting Address']) {
    expect(one('dropped', { reason, status: '5.1.1' })).toMatchObject({
      type: 'email.failed',
      data: { failure: { reason: 'recipient_suppressed' } },
    })
  }
  expect(one('dropped', { reason: 'Invalid', status: '5.1.1' })).toMatchObject({ type: 'email.failed' })
})

test('a spam report and an unsubscription become email.unsubscribed', () => {
  expect(one('spamreport')).toMatchObject({
    type: 'email.unsubscribed',
    data: { unsubscribe: { source: 'complaint' } },
  })
  expect(one('unsubscribe')).toMatchObject({
    type: 'email.unsubscribed',
    data: { unsubscribe: { source: 'api' } },
  })
})

test('what is not a final result is ignored', () => {
  expect(one('deferred', { response: '421 4.7.0 Try again later', attempt: '3' })).toMatchObject({
    type: 'email.deferred',
    data: { smtp_response: { code: 421 } },
  })
  const others = ['processed', 'open', 'click', 'group_unsubscribe', 'group_resubscribe', 'constructor']
  for (const event of others) expect(one(event)).toBe('not_an_outcome')
})

test('without a custom argument, email_id is the id that the API of SendGrid returned', () => {
  const given = { posthorn_email_id: undefined, response: '250 OK' }
  expect(one('delivered', given)).toMatchObject({ data: { email_id: 'hT3m0aXcQ9yqLkWvB2dE5g' } })
  const older = { ...given, sg_message_id: '14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0' }
  expect(one('delivered', older)).toMatchObject({ data: { email_id: '14c5d75ce93.dfd.64b469' } })
  expect(one('bounce', { ...given, sg_message_id: undefined, 'smtp-id': undefined })).toBe('foreign')
})

test('an email that Posthorn sent through SendGrid is found by its Message-ID', () => {
  const id = 'em_01kas3r5d8e8h9bq0x4v7m2n6p'
  const given = { posthorn_email_id: undefined, 'smtp-id': `<${id}@shop.test>` }
  expect(one('delivered', given)).toMatchObject({ data: { email_id: id } })
})

test('nonsense is ignored as malformed, and never throws', () => {
  for (const body of [{ event: 'delivered' }, null, 'text']) {
    expect(outcomeOf(fromSendgrid(body, outcomeOf.accountId))).toBe('malformed')
  }
  const nonsense = [
    1,
    null,
    [],
    {},
    { event: 7 },
    { event: 'bounce' },
    sendgridEvent('bounce', { email: {} }),
  ]
  const reports = fromSendgrid(nonsense, outcomeOf.accountId)
  expect(reports.map(({ report }) => (typeof report === 'string' ? report : 'read'))).toEqual([
    ...nonsense.slice(1).map(() => 'malformed'),
    'read',
  ])
  expect(one('delivered', { email: 'no address' })).toBe('malformed')
  expect(one('delivered', { timestamp: -7, posthorn_email_id: 'with space' })).toBe('foreign')
})

import { expect, test } from 'vitest'
import { fromResend } from '../../src/providers/from-resend.ts'
import { outcomeOf } from './outcome-of.ts'
import { resendEvent } from './samples/resend.ts'

const judged = (type: string, given: object = {}) =>
  outcomeOf(fromResend({ id: 'msg_1', event: resendEvent(type, given) }, outcomeOf.accountId))

const general = "The recipient's email provider sent a hard bounce message, but did not say why."
const bounce = (given: object) =>
  judged('email.bounced', { bounce: { type: 'Permanent', subType: 'General', message: general, ...given } })

test('the reply decides whether a bounce of Resend is one, not its type', () => {
  for (const diagnosticCode of [
    ['smtp; 550 5.1.1 <ann@example.org>: User unknown'],
    'smtp; 550 5.1.1 <ann@example.org>: User unknown',
  ]) {
    expect(bounce({ diagnosticCode })).toMatchObject({
      type: 'email.bounced',
      data: { email_id: 'order-77', to: ['ann@example.org'], occurred_at: '2026-11-21T04:00:01.250Z' },
    })
  }
  const spam = ['smtp; 550 5.7.1 Message rejected as spam']
  expect(bounce({ diagnosticCode: spam })).toMatchObject({ type: 'email.failed' })
  const late = { type: 'Transient', diagnosticCode: ['smtp; 452 4.2.2 Mailbox full'] }
  expect(bounce(late)).toMatchObject({ type: 'email.failed', data: { failure: { expired: true } } })
})

test('a bounce without a reply is not a bad address, whatever its sub-type', () => {
  for (const subType of ['General', 'NoEmail']) {
    expect(bounce({ subType })).toMatchObject({ type: 'email.failed' })
  }
})

test('a transient bounce without a reply may be an auto-reply, so it is no outcome', () => {
  expect(bounce({ type: 'Transient' })).toBe('not_an_outcome')
  expect(bounce({ type: 'Undetermined', subType: 'Undetermined' })).toBe('not_an_outcome')
  expect(bounce({ type: 'Transient', subType: 'MailboxFull' })).toMatchObject({ type: 'email.failed' })
})

test('a suppressed address is not a bounce', () => {
  const suppressed = { type: 'email.failed', data: { failure: { reason: 'recipient_suppressed' } } }
  expect(bounce({ subType: 'OnAccountSuppressionList' })).toMatchObject(suppressed)
  const given = { suppressed: { type: 'OnAccountSuppressionList', message: 'It bounced before.' } }
  expect(judged('email.suppressed', given)).toMatchObject(suppressed)
})

test('an email that Resend refused to send failed', () => {
  expect(judged('email.failed', { failed: { reason: 'reached_daily_quota' } })).toMatchObject({
    type: 'email.failed',
  })
})

test('a delivery and a complaint become events', () => {
  expect(judged('email.delivered')).toMatchObject({
    type: 'email.delivered',
    data: { message_id: '0100019a-7c-receipt@email.shop.test' },
  })
  expect(judged('email.complained')).toMatchObject({
    type: 'email.unsubscribed',
    data: { unsubscribe: { source: 'complaint' } },
  })
})

test('what is not a final result for one recipient is ignored', () => {
  expect(judged('email.delivery_delayed')).toMatchObject({ type: 'email.deferred' })
  for (const type of ['email.sent', 'email.opened', 'email.clicked', 'contact.updated', 'domain.created']) {
    expect(judged(type)).toBe('not_an_outcome')
  }
  expect(judged('email.delivered', { to: ['ann@example.org', 'bob@example.org'] })).toBe('not_an_outcome')
})

test('email_id is the tag, in both forms of tags, else the id of Resend', () => {
  const tags = [
    { name: 'kind', value: 'receipt' },
    { name: 'posthorn_email_id', value: 'order-78' },
  ]
  expect(judged('email.delivered', { tags })).toMatchObject({ data: { email_id: 'order-78' } })
  expect(judged('email.delivered', { tags: undefined })).toMatchObject({
    data: { email_id: '0f7b2c64-9a51-4d83-bb1e-2f4a6c8e0d11' },
  })
})

test('the recipient may have a name', () => {
  expect(judged('email.delivered', { to: ['Ann <ann@example.org>'] })).toMatchObject({
    data: { to: ['ann@example.org'] },
  })
})

test('nonsense is ignored as malformed, and never throws', () => {
  for (const body of [null, 7, 'text', [], {}, { type: null }]) {
    expect(outcomeOf(fromResend({ id: 'msg_1', event: body }, outcomeOf.accountId))).toBe('malformed')
  }
  expect(judged('email.delivered', { to: undefined })).toBe('malformed')
  expect(judged('email.delivered', { to: [7] })).toBe('malformed')
  expect(judged('email.delivered', { to: ['no address'] })).toBe('malformed')
  expect(judged('email.bounced', { bounce: 'none', tags: [null, 7] })).toBe('not_an_outcome')
})

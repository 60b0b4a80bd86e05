import { expect, test } from 'vitest'
import { optInOutcome } from './opt-in-outcome.ts'

const about = {
  email_id: 'a1',
  to: ['ann@example.org'],
  occurred_at: '2026-11-21T04:00:00.000Z',
  tags: { kind: 'news' },
}

test('a complaint is also email.complained, with what the report says', () => {
  const unsubscribe = { source: 'complaint', scope: { type: 'all' }, feedback_type: 'abuse' }
  expect(optInOutcome({ type: 'email.unsubscribed', data: { ...about, unsubscribe } })).toEqual({
    type: 'email.complained',
    data: { ...about, complaint: { feedback_type: 'abuse' } },
  })
})

test('an email to a suppressed address is also email.suppressed, without the failure', () => {
  const suppression = { reason: 'bounced', since: '2026-10-02T09:12:44.310Z' }
  const failure = { category: 'policy', reason: 'recipient_suppressed', suppression }
  const data = { ...about, scope: 'recipient', failure, decided_by: 'The address is suppressed.' }
  expect(optInOutcome({ type: 'email.failed', data })).toEqual({
    type: 'email.suppressed',
    data: { ...about, suppression },
  })
})

test.each([
  ['email.unsubscribed', { unsubscribe: { source: 'link' } }],
  ['email.failed', { failure: { reason: 'mailbox_full' } }],
  ['email.bounced', { bounce: { category: 'invalid_recipient' } }],
  ['email.deferred', { deferral: { reason: 'mailbox_full' } }],
] as const)('%s with %j has no other event', (type, data) => {
  expect(optInOutcome({ type, data: { ...about, ...data } })).toBeNull()
})

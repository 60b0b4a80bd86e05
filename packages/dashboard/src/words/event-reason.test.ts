import { bounceCategories, failureReasons, unsubscribeSources } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { eventReason } from './event-reason.ts'

const about = { email_id: 'em_1', to: ['ann@example.org'] }

test.each([
  ['email.delivered', {}, null],
  ['email.bounced', { bounce: { category: 'invalid_recipient' } }, 'No such mailbox'],
  ['email.failed', { failure: { reason: 'mailbox_full' } }, 'Mailbox full'],
  ['email.unsubscribed', { unsubscribe: { source: 'complaint', scope: { type: 'all' } } }, 'Marked as spam'],
  [
    'email.unsubscribed',
    { unsubscribe: { source: 'link', scope: { type: 'list', id: 'news' } } },
    'Link in the email, list news',
  ],
  ['email.bounced', {}, null],
] as const)('%s says why: %j', (type, data, words) => {
  expect(eventReason({ type, data: { ...about, ...data } })).toBe(words)
})

test('every reason of the API has words', () => {
  const said = [
    ...bounceCategories.map(category =>
      eventReason({ type: 'email.bounced', data: { ...about, bounce: { category } } }),
    ),
    ...Object.values(failureReasons)
      .flat()
      .map(reason => eventReason({ type: 'email.failed', data: { ...about, failure: { reason } } })),
    ...unsubscribeSources.map(source =>
      eventReason({ type: 'email.unsubscribed', data: { ...about, unsubscribe: { source } } }),
    ),
  ]
  expect(said.filter(words => words === null || /_|^[a-z]/.test(words))).toEqual([])
})

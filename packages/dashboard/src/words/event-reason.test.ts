import { bounceCategories, failureReasons, unsubscribeSources } from '@posthorn/contract'
import type { Email } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { emailReason, eventReason } from './event-reason.ts'

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
  ['email.unsubscribed', { unsubscribe: { source: 'api', user_agent: 'Mailgun' } }, 'Through Mailgun'],
  ['email.unsubscribed', { unsubscribe: { source: 'api', user_agent: 'curl/8' } }, 'Through the API'],
  [
    'email.unsubscribed',
    { unsubscribe: { source: 'complaint', user_agent: 'Amazon SES' } },
    'Marked as spam, reported by Amazon SES',
  ],
  ['email.deferred', { deferral: { reason: 'mailbox_full' } }, 'Mailbox full'],
  ['email.suppressed', { suppression: { reason: 'complaint' } }, null],
  ['email.bounced', {}, null],
] as const)('%s says why: %j', (type, data, words) => {
  expect(eventReason({ type, data: { ...about, ...data } })).toBe(words)
})

test('an email shows the reason of its latest event and the reply, but no text of ours twice', () => {
  const event = { id: 'evt_1', type: 'email.bounced', reason: 'invalid_recipient' } as const
  const reply = { code: 550, enhanced_code: '5.1.1', message: 'User unknown' }
  const words = (latest: Email['latest_event']) => emailReason({ latest_event: latest })
  expect(words({ ...event, reply })).toBe('No such mailbox · 550 5.1.1 User unknown')
  expect(words({ ...event, reply: null })).toBe('No such mailbox')
  expect(words({ ...event, type: 'email.failed', reason: 'mailbox_full', reply: null })).toBe('Mailbox full')
  const ours = { code: null, enhanced_code: null, message: 'The address is suppressed.' }
  expect(words({ ...event, type: 'email.failed', reason: 'recipient_suppressed', reply: ours })).toBe(
    'Address is suppressed',
  )
  expect(words({ ...event, type: 'email.delivered', reason: null, reply })).toBeNull()
  expect(words({ ...event, reason: null, reply: null })).toBeNull()
  expect(words(null)).toBeNull()
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

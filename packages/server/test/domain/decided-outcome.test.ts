import { decidedOutcome, eventCatalogue, defaultEventTypes, sampleEvent } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { type EventData, fillOutcome } from '../../src/domain/decided-outcome.ts'
import type { DefaultEventType } from '../../src/domain/event-type.ts'

const now = '2026-11-21T04:00:01.120Z'

/** Validates and completes an outcome, as the API does. */
function fill(type: DefaultEventType, reported: object): EventData {
  return fillOutcome(type, decidedOutcome.parse({ type, data: reported }).data, now)
}

test.each(defaultEventTypes)('minimal input for %s becomes complete data', type => {
  const data = fill(type, { email_id: 'a1', to: ['Ann@Example.ORG'] })
  expect(eventCatalogue[type].body.shape.data.safeParse(data).error).toBeUndefined()
  expect(data).toMatchObject({ email_id: 'a1', to: ['Ann@example.org'], occurred_at: now })
  expect(Object.keys(data).slice(0, 2)).toEqual(['email_id', 'to'])
})

test.each(defaultEventTypes)('complete data for %s stays unchanged', type => {
  const { data } = sampleEvent(type)
  expect(fill(type, data)).toEqual(data)
})

test('a bounce defaults to permanent, reported and an unknown mailbox', () => {
  expect(fill('email.bounced', { email_id: 'a1', to: ['a@b.c'] })).toMatchObject({
    recipient: 'a@b.c',
    bounce: {
      type: 'permanent',
      timing: 'synchronous',
      evidence: 'reported',
      category: 'invalid_recipient',
      message: 'The mailbox does not exist.',
    },
  })
  const { bounce } = fill('email.bounced', {
    email_id: 'a1',
    to: ['a@b.c'],
    bounce: { category: 'mailbox_disabled', final_recipient: 'x@Y.org' },
  })
  expect(bounce).toMatchObject({ message: 'The mailbox is disabled.', final_recipient: 'x@y.org' })
})

test('a failure defaults to the infrastructure category', () => {
  expect(fill('email.failed', { email_id: 'a1', to: ['a@b.c'] })).toMatchObject({
    scope: 'recipient',
    failure: { category: 'infrastructure', reason: 'unspecified', retryable: false, expired: false },
  })
  expect(fill('email.failed', { email_id: 'a1', to: ['a@b.c', 'd@e.f'] })).toMatchObject({ scope: 'message' })
})

test('the reason of a failure determines its category', () => {
  const { failure } = fill('email.failed', {
    email_id: 'a1',
    to: ['a@b.c'],
    failure: { reason: 'dkim_key_missing' },
  })
  expect(failure).toMatchObject({ category: 'signing', message: expect.stringContaining('DKIM') })
})

test('an unsubscribe defaults to the API as its source and to all mail', () => {
  expect(fill('email.unsubscribed', { email_id: 'a1', to: ['a@b.c'] })).toMatchObject({
    recipient: 'a@b.c',
    unsubscribe: { source: 'api', scope: { type: 'all' } },
  })
})

test('times are converted to UTC with milliseconds', () => {
  const occurred = {
    email_id: 'a1',
    to: ['a@b.c'],
    occurred_at: '2026-11-21T05:00:00+01:00',
    sent_at: '2026-11-21T03:59:59Z',
  }
  expect(fill('email.delivered', occurred)).toMatchObject({
    occurred_at: '2026-11-21T04:00:00.000Z',
    sent_at: '2026-11-21T03:59:59.000Z',
  })
})

test('empty tags and metadata are left out', () => {
  const data = fill('email.delivered', { email_id: 'a1', to: ['a@b.c'], tags: {}, metadata: {} })
  expect(data).toEqual({ email_id: 'a1', to: ['a@b.c'], occurred_at: now })
})

test('codes missing from a reply become null', () => {
  const data = fill('email.delivered', { email_id: 'a1', to: ['a@b.c'], smtp_response: { message: 'ok' } })
  expect(data.smtp_response).toEqual({ code: null, enhanced_code: null, message: 'ok' })
})

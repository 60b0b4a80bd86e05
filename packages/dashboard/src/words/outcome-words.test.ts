import { expect, test } from 'vitest'
import type { Bucket } from '../charts/buckets.ts'
import { outcomesSummary, outcomeWords } from './outcome-words.ts'

const none = { delivered: 0, bounced: 0, failed: 0, unsubscribed: 0, complaints: 0 }
const reader = { zone: 'utc', nowMs: Date.parse('2026-11-21T10:00:00Z') } as const

test('the chart of outcomes is named by a sentence about its content', () => {
  const total = { delivered: 14_780, bounced: 312, failed: 112, unsubscribed: 90, complaints: 12 }
  expect(outcomesSummary(total, 'the last 7 days')).toBe(
    'Of 15,204 emails in the last 7 days, 14,780 were delivered (97.2%), 312 bounced and 112 failed. 90 recipients unsubscribed.',
  )
  expect(outcomesSummary(none, 'the last hour')).toBe('No email had an outcome in the last hour.')
  expect(outcomesSummary({ ...none, unsubscribed: 1 }, 'the last hour')).toBe(
    'No email had an outcome in the last hour. 1 recipient unsubscribed.',
  )
})

test('bars are described one by one or several together', () => {
  const bar = (at: string, outcomes: Partial<Bucket['outcomes']>, isSoFar = false): Bucket => ({
    fromMs: Date.parse(at),
    untilMs: Date.parse(at) + 900_000,
    delivered: 0,
    failed: 0,
    exhausted: 0,
    byError: {},
    p50Ms: null,
    p95Ms: null,
    p99Ms: null,
    outcomes: { ...none, ...outcomes },
    isSoFar,
  })
  const first = bar('2026-11-21T09:30:00Z', { delivered: 1_200, bounced: 3 })
  const second = bar('2026-11-21T09:45:00Z', { delivered: 4, failed: 1, unsubscribed: 2 }, true)
  expect(outcomeWords([first], reader)).toBe(
    '09:30 to 09:45: 1,200 delivered, 3 bounced, 0 failed, 0 unsubscribed',
  )
  expect(outcomeWords([first, second], reader)).toBe(
    '09:30 to 10:00: 1,204 delivered, 3 bounced, 1 failed, 2 unsubscribed, so far',
  )
})

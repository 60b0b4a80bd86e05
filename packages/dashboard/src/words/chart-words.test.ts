import { expect, test } from 'vitest'
import type { Bucket } from '../charts/buckets.ts'
import {
  latencySummary,
  latencyWords,
  reasonsOf,
  reasonSummary,
  resultsSummary,
  resultWords,
} from './chart-words.ts'

const reader = { zone: 'utc', nowMs: Date.parse('2026-11-21T10:00:00Z') } as const

function bar(at: string, more: Partial<Bucket> = {}): Bucket {
  const fromMs = Date.parse(at)
  const none = { delivered: 0, failed: 0, exhausted: 0, byError: {}, p50Ms: null, p95Ms: null, p99Ms: null }
  const outcomes = { delivered: 0, bounced: 0, failed: 0, unsubscribed: 0, complaints: 0 }
  return { fromMs, untilMs: fromMs + 900_000, ...none, outcomes, isSoFar: false, ...more }
}

test('a chart is named by a sentence about its content', () => {
  expect(resultsSummary({ delivered: 41_310, failed: 750, exhausted: 7 }, 'the last 24 hours')).toBe(
    'Of 42,067 attempts in the last 24 hours, 41,310 were delivered (98.2%), 750 failed and 7 failed for the last time.',
  )
  expect(latencySummary({ p50_ms: 84, p95_ms: 410, p99_ms: 1_900 }, 'the last hour')).toBe(
    'In the last hour half of all answers took at most 84 ms, 95 of 100 at most 410 ms and 99 of 100 at most 1.9 s.',
  )
  const reasons = reasonsOf({ status_not_2xx: 10, tls_expired: 40 })
  expect(reasonSummary(reasons, 'the last hour')).toBe(
    '50 attempts failed in the last hour, 40 of them: Certificate expired.',
  )
})

test('a chart without data says so', () => {
  expect(resultsSummary({ delivered: 0, failed: 0, exhausted: 0 }, 'the last hour')).toBe(
    'Nothing was sent in the last hour.',
  )
  expect(latencySummary({ p50_ms: null, p95_ms: null, p99_ms: null }, 'the last hour')).toBe(
    'No answers in the last hour.',
  )
  expect(reasonSummary([], 'the last hour')).toBe('Nothing failed in the last hour.')
})

test('bars are described one by one or several together', () => {
  const first = bar('2026-11-21T02:30:00Z', { delivered: 1_200, failed: 3 })
  const second = bar('2026-11-21T02:45:00Z', {
    delivered: 4,
    exhausted: 1,
    p50Ms: 80,
    p95Ms: 400,
    p99Ms: 900,
  })
  expect(resultWords([first], reader)).toBe('02:30 to 02:45: 1,200 delivered, 3 failed, 0 exhausted')
  expect(resultWords([first, second], reader)).toBe('02:30 to 03:00: 1,204 delivered, 3 failed, 1 exhausted')
  expect(resultWords([bar('2026-11-20T23:45:00Z', { isSoFar: true })], reader)).toBe(
    '20 Nov 23:45 to 21 Nov 00:00: 0 delivered, 0 failed, 0 exhausted, so far',
  )
  expect(latencyWords([second], reader)).toBe('02:45 to 03:00: p50 80 ms, p95 400 ms, p99 900 ms')
})

test('a time without answers has no answer times', () => {
  expect(latencyWords([bar('2026-11-21T02:30:00Z')], reader)).toBe('02:30 to 02:45: no answers')
})

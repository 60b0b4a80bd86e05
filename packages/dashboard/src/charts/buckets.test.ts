import type { Stats } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { deliveredShare, notDelivered, resultsOf, toBuckets } from './buckets.ts'

const counts = { by_error: {}, p50_ms: null, p95_ms: null, p99_ms: null }
const none = { delivered: 0, failed: 0, exhausted: 0, ...counts }
const thresholds = {
  bounce_rate: { warning: 0.02, risk: 0.05 },
  complaint_rate: { warning: 0.0008, risk: 0.001 },
}

function statsOf(more: Partial<Stats>): Stats {
  return {
    since: '2026-11-21T00:00:00.000Z',
    until: '2026-11-21T05:00:00.000Z',
    bucket: '2h',
    recorded_since: '2026-11-21T02:30:00.000Z',
    total: none,
    outcomes: null,
    thresholds,
    data: ['00', '02', '04'].map(hour => ({ at: `2026-11-21T${hour}:00:00.000Z`, ...none, outcomes: null })),
    ...more,
  }
}

test('the first bar has the first attempt or outcome', () => {
  const hours = (stats: Stats) => toBuckets(stats).map(({ fromMs }) => new Date(fromMs).getUTCHours())
  expect(hours(statsOf({}))).toEqual([2, 4])
  const outcomes = {
    total: { delivered: 1, bounced: 0, failed: 0, unsubscribed: 0, complaints: 0 },
    bounced_by_category: {},
    failed_by_reason: {},
    unsubscribed_by_source: {},
    domains: [],
    recorded_since: '2026-11-21T01:59:00.000Z',
  }
  expect(hours(statsOf({ outcomes }))).toEqual([0, 2, 4])
  expect(hours(statsOf({ recorded_since: null }))).toEqual([0, 2, 4])
})

test('only the bar that is not over yet is marked as so far', () => {
  expect(toBuckets(statsOf({})).map(bucket => bucket.isSoFar)).toEqual([false, true])
})

test('a last attempt is counted once, as exhausted and not as failed', () => {
  const results = resultsOf({ delivered: 10, failed: 8, exhausted: 3 })
  expect(results).toEqual({ delivered: 10, failed: 5, exhausted: 3 })
  expect(notDelivered(results)).toBe(8)
})

test('a delivery exhausted without an attempt, because its day was dropped, is still counted', () => {
  expect(resultsOf({ delivered: 0, failed: 0, exhausted: 3 })).toEqual({
    delivered: 0,
    failed: 0,
    exhausted: 3,
  })
})

test('the delivered share is unknown if there are no results', () => {
  expect(deliveredShare(resultsOf({ delivered: 0, failed: 0, exhausted: 0 }))).toBeNull()
  expect(deliveredShare(resultsOf({ delivered: 9, failed: 1, exhausted: 0 }))).toBe(0.9)
})

import { expect, test } from 'vitest'
import type { Bucket } from './buckets.ts'
import { bucketAt, plotOf } from './plot.ts'

const minuteMs = 60_000

function bars(count: number): Bucket[] {
  const outcomes = { delivered: 0, bounced: 0, failed: 0, unsubscribed: 0, complaints: 0 }
  const counts = { delivered: 0, failed: 0, exhausted: 0, byError: {}, p50Ms: null, p95Ms: null, p99Ms: null }
  return Array.from({ length: count }, (_, n) => ({
    fromMs: n * minuteMs,
    untilMs: (n + 1) * minuteMs,
    ...counts,
    outcomes,
    isSoFar: n === count - 1,
  }))
}

test('two bars do not fill the chart: the axis ends with the last one and begins before the first', () => {
  const plot = plotOf(bars(2), 240, { leftPx: 0, rightPx: 0 })
  expect([plot.fromMs, plot.untilMs]).toEqual([-22 * minuteMs, 2 * minuteMs])
  expect(plot.x(2 * minuteMs)).toBe(240)
  expect(plot.x(0)).toBe(220)
})

test('many bars fill the chart', () => {
  const plot = plotOf(bars(60), 600, { leftPx: 0, rightPx: 0 })
  expect(plot.x(plot.untilMs)).toBe(600)
  expect(bucketAt(plot, 0)).toBe(0)
  expect(bucketAt(plot, 305)).toBe(30)
})

test('a place beside the bars belongs to the nearest one', () => {
  const plot = plotOf(bars(2), 240, { leftPx: 0, rightPx: 0 })
  expect(bucketAt(plot, 10)).toBe(0)
  expect(bucketAt(plot, 250)).toBe(1)
  expect(bucketAt(plotOf([], 240, { leftPx: 0, rightPx: 0 }), 10)).toBe(0)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  latencyBoundsMs,
  latencyBucket,
  type LatencyHistogram,
  latencyPercentile,
} from './latency-histogram.ts'

function histogramOf(durations: readonly number[]): LatencyHistogram {
  const histogram: LatencyHistogram = new Map()
  for (const ms of durations) {
    histogram.set(latencyBucket(ms), (histogram.get(latencyBucket(ms)) ?? 0) + 1)
  }
  return histogram
}

test('the bounds rise strictly from 1 ms to about two minutes', () => {
  expect(latencyBoundsMs[0]).toBe(1)
  expect(latencyBoundsMs.at(-1)).toBe(131_072)
  expect([...latencyBoundsMs].toSorted((a, b) => a - b)).toEqual(latencyBoundsMs)
  expect(new Set(latencyBoundsMs).size).toBe(latencyBoundsMs.length)
})

test('a duration lies between the bounds of its bucket', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1_000_000, noNaN: true }), ms => {
      const bucket = latencyBucket(ms)
      expect(ms).toBeGreaterThanOrEqual(latencyBoundsMs[bucket - 1] ?? 0)
      expect(ms).toBeLessThan(latencyBoundsMs[bucket] ?? Number.POSITIVE_INFINITY)
    }),
  )
})

test('a percentile is within a fifth of the true one for any durations', () => {
  const durations = fc.array(fc.double({ min: 1, max: 60_000, noNaN: true }), {
    minLength: 1,
    maxLength: 200,
  })
  fc.assert(
    fc.property(durations, fc.constantFrom(0.5, 0.95, 0.99), (list, share) => {
      const sorted = list.toSorted((a, b) => a - b)
      const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0
      const estimate = latencyPercentile(histogramOf(list), share) ?? 0
      expect(Math.abs(estimate / exact - 1)).toBeLessThan(0.2)
    }),
  )
})

test('an empty histogram has no percentile', () => {
  expect(latencyPercentile(new Map(), 0.5)).toBeNull()
})

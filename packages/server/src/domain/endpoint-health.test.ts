import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type HealthFacts, healthState, nextHealthStep } from './endpoint-health.ts'

const hour = 3_600_000
const disableAfterMs = 120 * hour

const healthy: HealthFacts = {
  status: 'enabled',
  disabledReason: null,
  failuresInRow: 0,
  failingSinceMs: null,
  exhaustedSinceMs: null,
  warnedExhaustedAtMs: null,
  warnedHalfTimeAtMs: null,
  disabledToldAtMs: null,
}
const at = 1_000 * hour
const failing: HealthFacts = { ...healthy, failuresInRow: 20, failingSinceMs: at }
const step = (facts: HealthFacts, hoursLater: number): string | null =>
  nextHealthStep(facts, disableAfterMs, at + hoursLater * hour)

test('a healthy endpoint, or one that has just begun to fail, needs no action', () => {
  expect(step(healthy, 0)).toBeNull()
  expect(step(failing, 59.9)).toBeNull()
})

describe('an endpoint that only fails', () => {
  test('gets one warning at half of the time limit', () => {
    expect(step(failing, 60)).toBe('warn_half_time')
    expect(step({ ...failing, warnedHalfTimeAtMs: at + 60 * hour }, 61)).toBeNull()
  })

  test('gets one warning at its first exhausted delivery', () => {
    const exhausted = { ...failing, exhaustedSinceMs: at + hour }
    expect(step(exhausted, 1)).toBe('warn_exhausted')
    expect(step({ ...exhausted, warnedExhaustedAtMs: at + 2 * hour }, 3)).toBeNull()
  })

  test('is disabled when the time limit is reached, and not before', () => {
    const warned = { ...failing, warnedHalfTimeAtMs: at + 60 * hour }
    expect(step(warned, 119.9)).toBeNull()
    expect(step(warned, 120)).toBe('disable')
  })

  test('is not disabled after fewer than twenty attempts', () => {
    const quiet = { ...failing, failuresInRow: 19, warnedHalfTimeAtMs: at + 60 * hour }
    expect(step(quiet, 1_000)).toBeNull()
    expect(step({ ...quiet, failuresInRow: 20 }, 1_000)).toBe('disable')
  })
})

test('a recovery after a warning is reported, even if the endpoint fails again', () => {
  const warned = { ...healthy, warnedHalfTimeAtMs: at }
  expect(step(warned, 1)).toBe('recovered')
  expect(step({ ...warned, failingSinceMs: at + hour, failuresInRow: 3 }, 2)).toBe('recovered')
  expect(step({ ...failing, failingSinceMs: at - hour, warnedHalfTimeAtMs: at }, 1)).toBeNull()
})

test('for a disabled endpoint only a 410 is reported, and only once', () => {
  const gone: HealthFacts = { ...failing, status: 'disabled', disabledReason: 'gone' }
  expect(step(gone, 200)).toBe('tell_gone')
  expect(step({ ...gone, disabledToldAtMs: at }, 200)).toBeNull()
  expect(step({ ...gone, disabledReason: 'manual' }, 200)).toBeNull()
})

describe('the state of an endpoint', () => {
  const day = 24 * hour
  const minute = 60_000
  const idle = {
    ...healthy,
    lastAttemptAtMs: at,
    lastSuccessAtMs: at,
    usualPerDay: 400,
    failedShareBefore: 0,
    isDegraded: false,
  }
  const failed = (failuresInRow: number, forMs: number) => ({
    ...idle,
    failuresInRow,
    failingSinceMs: at,
    lastAttemptAtMs: at + forMs,
  })
  test.each([
    ['healthy', 'its attempts succeed', idle, hour],
    ['new', 'nothing was ever sent', { ...idle, lastAttemptAtMs: null, usualPerDay: null }, 30 * day],
    ['failing', 'nothing succeeds any more', failed(3, minute), hour],
    ['failing', 'it has never worked', { ...failed(1, 0), lastSuccessAtMs: null }, 0],
    ['healthy', 'only two attempts failed', failed(2, hour), hour],
    ['healthy', 'everything failed, but for less than a minute', failed(1_000, minute - 1), hour],
    [
      'healthy',
      'three failed in a row, as they often do',
      { ...failed(3, minute), failedShareBefore: 0.3 },
      0,
    ],
    ['failing', 'more failed than usual', { ...failed(12, minute), failedShareBefore: 0.3 }, hour],
    ['failing', 'nothing succeeds for an hour', { ...failed(3, hour), failedShareBefore: 0.9 }, hour],
    ['degraded', 'too few succeed', { ...idle, isDegraded: true }, hour],
    ['failing', 'nothing succeeds after too few did', { ...failed(3, minute), isDegraded: true }, hour],
    ['disabled', 'it is disabled', { ...failed(3, hour), status: 'disabled' as const }, 30 * day],
    ['quiet', 'nothing was sent for three days', idle, 3 * day],
    ['healthy', 'nothing was sent for almost three days', idle, 3 * day - 1],
    ['healthy', 'it never had one a day', { ...idle, usualPerDay: 0.9 }, 30 * day],
    ['quiet', 'it has one a day', { ...idle, usualPerDay: 1 }, 4 * day],
    ['healthy', 'nobody knows what is usual', { ...idle, usualPerDay: null }, 4 * day],
    ['failing', 'its last attempts failed, however long ago', failed(3, minute), 30 * day],
  ])('is %s when %s', (state, _, facts, laterMs) => {
    expect(healthState(facts, at + laterMs)).toBe(state)
  })
})

test.each([0.2, 0.5, 0.7, 0.9])(
  'an endpoint that acknowledges %d of its attempts is never failing',
  share => {
    const everyMs = 20_000
    const chance = fc.noBias(fc.nat(9_999)).map(number => number / 10_000)
    const attempts = fc.noBias(fc.array(chance, { minLength: 2_000, maxLength: 2_000 }))
    fc.assert(
      fc.property(attempts, chances => {
        const results = chances.map(one => one < share)
        const found = new Set<string>()
        let failuresInRow = 0
        for (const [number, succeeded] of results.entries()) {
          failuresInRow = succeeded ? 0 : failuresInRow + 1
          // after the first hour, which shows how often it fails
          if (number < 180) continue
          const nowMs = number * everyMs
          const before = results.slice(Math.max(0, number - failuresInRow - 1_080), number - failuresInRow)
          const facts = {
            ...healthy,
            failuresInRow,
            failingSinceMs: failuresInRow === 0 ? null : nowMs - (failuresInRow - 1) * everyMs,
            lastAttemptAtMs: nowMs,
            lastSuccessAtMs: nowMs - failuresInRow * everyMs,
            usualPerDay: null,
            failedShareBefore: before.filter(one => !one).length / before.length,
            isDegraded: true,
          }
          found.add(healthState(facts, nowMs))
        }
        expect([...found]).toEqual(['degraded'])
      }),
      // one run in a thousand has a row of failures that is as unlikely as the limit
      { numRuns: 10, seed: 57, endOnFailure: true },
    )
  },
)

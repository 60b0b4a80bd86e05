import fc from 'fast-check'
import { expect, test } from 'vitest'
import { retriesMax, retryDelayMs } from './backoff.ts'

const defaults = { baseSeconds: 120, capSeconds: 86_400 }
const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('every delay is between 0 and the base doubled per retry, and at most the cap', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: retriesMax }), fraction, (retry, chance) => {
      const delayMs = retryDelayMs(defaults, retry, chance)
      expect(delayMs).toBeGreaterThanOrEqual(0)
      expect(delayMs).toBeLessThanOrEqual(Math.min(86_400_000, 120_000 * 2 ** (retry - 1)))
    }),
  )
})

test('delays use the whole range (full jitter)', () => {
  expect(retryDelayMs(defaults, 1, 0)).toBe(0)
  expect(retryDelayMs(defaults, 1, 0.999_999_999)).toBe(120_000)
  expect(retryDelayMs(defaults, 3, 0.5)).toBe(240_000)
  expect(retryDelayMs(defaults, 12, 0.999_999_999)).toBe(86_400_000)
})

test('the delay is at least what the receiver asks for, even above the cap', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: retriesMax }),
      fraction,
      fc.nat(3_600_000),
      (retry, chance, floorMs) => {
        expect(
          retryDelayMs({ baseSeconds: 1, capSeconds: 2 }, retry, chance, floorMs),
        ).toBeGreaterThanOrEqual(floorMs)
      },
    ),
  )
})

test('with the defaults, all delays add up to 41 hours on average and at most 82', () => {
  const totalMs = (chance: number): number =>
    Array.from({ length: retriesMax }, (_, n) => retryDelayMs(defaults, n + 1, chance)).reduce(
      (a, b) => a + b,
    )
  expect(Math.round(totalMs(0.5) / 3_600_000)).toBe(41)
  expect(Math.round(totalMs(0.999_999_999) / 3_600_000)).toBe(82)
})

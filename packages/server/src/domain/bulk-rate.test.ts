import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BulkRate } from './bulk-rate.ts'

/** The rate after so many storings beside bulk, of which every so-manieth is slow; without bulk it was one in 50. */
function rateAfter(storings: number, slowEvery: number, withoutEvery = 50): number {
  const rate = new BulkRate()
  for (let n = 1; n <= 2_000; n++) rate.storedWithout(n % withoutEvery === 0 ? 5 : 1)
  for (let n = 1; n <= storings; n++) rate.stored(n % slowEvery === 0 ? 5 : 1)
  return rate.perMs
}

test('bulk is free once those who report little have not noticed it for a while', () => {
  expect(rateAfter(3_000, Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY)
  expect(rateAfter(10_000, 40)).toBeGreaterThan(40)
})

test('where one storing in ten is slow, bulk slows down, and it always gets on', () => {
  const rate = new BulkRate()
  for (let n = 0; n < 1_000; n++) rate.stored(1)
  const before = rate.perMs
  for (let n = 0; n < 1_000; n++) rate.stored(n % 10 === 0 ? 5 : 1)
  expect(rate.perMs).toBeLessThan(before / 2)
  expect(rateAfter(1_000, 1)).toBe(2)
})

test('what is slow without bulk as well is no reason for it to slow down', () => {
  expect(rateAfter(3_000, 10, 10)).toBeGreaterThan(10)
  expect(rateAfter(3_000, 2, 2)).toBe(2)
})

test('one slow storing is answered by a small step', () => {
  const rate = new BulkRate()
  for (let n = 0; n < 1_000; n++) rate.stored(1)
  const before = rate.perMs
  rate.stored(100)
  expect(rate.perMs).toBeCloseTo(before * 0.97)
})

test('whatever it is told, it is two deliveries a millisecond or more', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1_000, noNaN: true }), { maxLength: 500 }), times => {
      const rate = new BulkRate()
      for (const one of times) {
        rate.storedWithout(one)
        rate.stored(one)
      }
      expect(rate.perMs).toBeGreaterThanOrEqual(2)
    }),
  )
})

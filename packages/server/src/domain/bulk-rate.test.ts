import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BulkRate } from './bulk-rate.ts'

/** The rate after so many storings beside bulk, of which every so-manieth is slow. */
function rateAfter(storings: number, slowEvery: number): number {
  const rate = new BulkRate()
  for (let n = 1; n <= storings; n++) rate.stored(n % slowEvery === 0 ? 5 : 1)
  return rate.perMs
}

test('bulk is free once those who report little have not noticed it for a while', () => {
  expect(rateAfter(1_000, Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY)
  expect(rateAfter(1_000, 30)).toBeGreaterThan(40)
})

test('where one storing in eight is slow, bulk slows down, and it always gets on', () => {
  expect(rateAfter(1_000, 8)).toBeLessThan(2)
  expect(rateAfter(1_000, 1)).toBe(1)
})

test('one slow storing is answered by a step, not by a stop', () => {
  expect(rateAfter(1, 1)).toBeCloseTo(1.8)
})

test('whatever it is told, it is one delivery a millisecond or more', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1_000, noNaN: true }), { maxLength: 500 }), times => {
      const rate = new BulkRate()
      for (const one of times) rate.stored(one)
      expect(rate.perMs).toBeGreaterThanOrEqual(1)
    }),
  )
})

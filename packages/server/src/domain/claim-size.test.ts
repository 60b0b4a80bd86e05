import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ClaimSize } from './claim-size.ts'

test('a claim is as large as the room until one takes too long', () => {
  const size = new ClaimSize()
  size.took(2_000, 2_000, 80)
  expect(size.max).toBe(Number.POSITIVE_INFINITY)
  size.took(2_000, 2_000, 1_600)
  expect(size.max).toBe(250)
})

test('it grows again as soon as full claims are quick', () => {
  const size = new ClaimSize()
  size.took(2_000, 2_000, 1_600)
  size.took(100, 100, 20)
  expect(size.max).toBe(250)
  size.took(250, 250, 20)
  size.took(500, 500, 20)
  expect(size.max).toBe(1_000)
})

test('it grows also where little of what it asks for is there', () => {
  const size = new ClaimSize()
  size.took(2_000, 20, 1_600)
  expect(size.max).toBe(2)
  for (let round = 0; round < 10; round++) size.took(size.max, 1, 5)
  expect(size.max).toBe(2_048)
})

test('however slow the database is for each row, claims become short enough or as small as can be', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 2_000, noNaN: true }), msPerRow => {
      const size = new ClaimSize()
      let durationMs = 0
      for (let round = 0; round < 20; round++) {
        const claimed = Math.min(2_000, size.max)
        durationMs = claimed * msPerRow
        size.took(claimed, claimed, durationMs)
      }
      expect(Math.min(2_000, size.max) * msPerRow <= 800 || size.max === 1).toBe(true)
    }),
  )
})

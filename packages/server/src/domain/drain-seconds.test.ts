import { expect, test } from 'vitest'
import { drainSeconds } from './drain-seconds.ts'

test('the slower of the two rates decides, and seconds are rounded up', () => {
  expect(drainSeconds(1_204, 50, null)).toBe(25)
  expect(drainSeconds(1_204, 50, 5)).toBe(241)
  expect(drainSeconds(1_204, 50, 500)).toBe(25)
  expect(drainSeconds(0, 50, null)).toBe(0)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { retryAfterFloorMs } from './retry-after.ts'

const now = Date.parse('2026-01-01T00:00:00Z')

test.each([
  ['seconds', 429, '5', 5_000],
  ['seconds with spaces around', 503, ' 7 ', 7_000],
  ['a date', 409, 'Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
  ['nothing less than a second', 429, '0', 1_000],
  ['a date in the past: a second', 429, 'Wed, 31 Dec 2025 00:00:00 GMT', 1_000],
  ['nothing more than an hour', 429, '1000000000', 3_600_000],
  ['a date far away: an hour', 503, 'Fri, 01 Jan 2027 00:00:00 GMT', 3_600_000],
  ['a negative number: nothing', 429, '-1', 0],
  ['a fraction: nothing', 429, '5.5', 0],
  ['text: nothing', 429, 'soon', 0],
  ['another status: nothing', 500, '5', 0],
  ['no header: nothing', 429, null, 0],
  ['no status: nothing', null, '5', 0],
])('Retry-After, %s', (_, status, header, floorMs) => {
  expect(retryAfterFloorMs(status, header, now)).toBe(floorMs)
})

test('whatever a receiver writes, the floor is nothing or between a second and an hour', () => {
  fc.assert(
    fc.property(fc.constantFrom(409, 429, 503), fc.string(), (status, header) => {
      const floorMs = retryAfterFloorMs(status, header, now)
      expect(floorMs === 0 || (floorMs >= 1_000 && floorMs <= 3_600_000)).toBe(true)
    }),
  )
})

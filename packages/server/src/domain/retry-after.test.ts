import fc from 'fast-check'
import { expect, test } from 'vitest'
import { retryAfterFloorMs } from './retry-after.ts'

const now = Date.parse('2026-01-01T00:00:00Z')

test.each([
  ['seconds', 429, '5', 5_000],
  ['seconds with spaces around', 503, ' 7 ', 7_000],
  ['a date', 409, 'Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
  ['a date as RFC 850 writes it', 503, 'Thursday, 01-Jan-26 00:00:30 GMT', 30_000],
  ['a date as asctime writes it', 503, 'Thu Jan  1 00:00:30 2026', 30_000],
  ['two digits that may be 50 years ahead: an hour', 503, 'Wednesday, 01-Jan-76 00:00:00 GMT', 3_600_000],
  ['two digits that would be more: the past', 503, 'Thursday, 01-Jan-76 00:00:01 GMT', 1_000],
  ['a leap second', 503, 'Wed, 31 Dec 2025 23:59:60 GMT', 1_000],
  ['a day that no month has: nothing', 503, 'Tue, 30 Feb 2027 00:00:00 GMT', 0],
  ['an hour that no day has: nothing', 503, 'Fri, 01 Jan 2027 24:00:00 GMT', 0],
  ['a two-digit year in the form of four: nothing', 503, 'Thu, 01 Jan 27 00:00:30 GMT', 0],
  ['any number of digits: an hour', 429, '9'.repeat(400), 3_600_000],
  ['leading zeros', 429, '0'.repeat(20) + '5', 5_000],
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

test('for any Retry-After value, the minimum delay is 0 or from a second to an hour', () => {
  fc.assert(
    fc.property(fc.constantFrom(409, 429, 503), fc.string(), (status, header) => {
      const floorMs = retryAfterFloorMs(status, header, now)
      expect(floorMs === 0 || (floorMs >= 1_000 && floorMs <= 3_600_000)).toBe(true)
    }),
  )
})

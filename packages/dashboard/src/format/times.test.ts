import { expect, test } from 'vitest'
import { formatTime } from './times.ts'

const nowMs = Date.parse('2026-11-30T22:00:00Z')

test.each([
  ['2026-11-30T21:59:58Z', '21:59:58'],
  ['2026-11-29T22:30:00Z', '22:30:00'],
  ['2026-11-29T21:30:00Z', '29 Nov 21:30:00'],
  ['2026-11-30T23:30:00Z', '23:30:00'],
  ['2026-12-01T01:17:56Z', '1 Dec 01:17'],
  ['2027-01-01T01:17:56Z', '1 Jan 2027 01:17'],
])('at 22:00 on 30 November, %s is shown as %s', (at, shown) => {
  expect(formatTime(at, 'utc', nowMs)).toBe(shown)
})

import { expect, test } from 'vitest'
import { momentFromInput, momentToInput, momentToPicker } from './moment-input.ts'

const atMs = Date.parse('2026-11-21T03:14:02Z')

test('a UTC time is written to and read from the field as on the pages', () => {
  expect(momentToInput(atMs + 499, 'utc')).toBe('21 Nov 2026, 03:14:02')
  expect(momentFromInput('21 Nov 2026, 03:14:02', 'utc', atMs)).toBe(atMs)
})

test.each(['utc', 'local'] as const)('a time shown in %s is read back as the same moment', zone => {
  for (const daysLater of [0, 90, 180, 270]) {
    const laterMs = atMs + daysLater * 86_400_000
    expect(momentFromInput(momentToInput(laterMs, zone), zone, atMs)).toBe(laterMs)
    expect(momentFromInput(momentToPicker(laterMs, zone), zone, atMs)).toBe(laterMs)
  }
})

test.each([
  '21 Nov 03:14:02',
  '21 november 2026 3:14:02',
  '2026-11-21 03:14:02',
  '2026-11-21T03:14:02.118',
  ' 21 Nov 2026, 03:14:02 ',
])('a time can also be typed as %s', text => {
  expect(momentFromInput(text, 'utc', atMs)).toBe(atMs)
})

test('without seconds, the minute begins', () => {
  expect(momentFromInput('21 Nov 2026, 03:14', 'utc', atMs)).toBe(atMs - 2_000)
})

test.each(['', 'yesterday', '21 Foo 2026, 03:14', '31 Feb 2026, 03:14', '21 Nov 2026, 25:00', '11/21/2026'])(
  '“%s” is no time',
  text => {
    expect(momentFromInput(text, 'utc', atMs)).toBeNull()
    expect(momentFromInput(text, 'local', atMs)).toBeNull()
  },
)

test('an invalid time leaves the field empty', () => {
  expect(momentToInput(Number.NaN, 'utc')).toBe('')
})

import { expect, test } from 'vitest'
import { momentFromInput, momentToInput } from './moment-input.ts'

const atMs = Date.parse('2026-11-21T03:14:02Z')

test('a moment in UTC reads as it is written there', () => {
  expect(momentToInput(atMs + 499, 'utc')).toBe('2026-11-21T03:14:02')
  expect(momentFromInput('2026-11-21T03:14:02', 'utc')).toBe(atMs)
})

test.each(['utc', 'local'] as const)(
  'what is shown in %s means the same moment when it is read back',
  zone => {
    for (const daysLater of [0, 90, 180, 270]) {
      const laterMs = atMs + daysLater * 86_400_000
      expect(momentFromInput(momentToInput(laterMs, zone), zone)).toBe(laterMs)
    }
  },
)

test('what is not complete means nothing', () => {
  expect(momentFromInput('', 'utc')).toBeNull()
  expect(momentFromInput('', 'local')).toBeNull()
})

test('what is no moment leaves the field empty', () => {
  expect(momentToInput(Number.NaN, 'utc')).toBe('')
})

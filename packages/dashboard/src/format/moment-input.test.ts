import { expect, test } from 'vitest'
import { momentFromInput, momentToInput } from './moment-input.ts'

const atMs = Date.parse('2026-11-21T03:14:02Z')

test('a UTC time is written to and read from the field as UTC', () => {
  expect(momentToInput(atMs + 499, 'utc')).toBe('2026-11-21T03:14:02')
  expect(momentFromInput('2026-11-21T03:14:02', 'utc')).toBe(atMs)
})

test.each(['utc', 'local'] as const)('a time shown in %s is read back as the same moment', zone => {
  for (const daysLater of [0, 90, 180, 270]) {
    const laterMs = atMs + daysLater * 86_400_000
    expect(momentFromInput(momentToInput(laterMs, zone), zone)).toBe(laterMs)
  }
})

test('an empty field is read as no time', () => {
  expect(momentFromInput('', 'utc')).toBeNull()
  expect(momentFromInput('', 'local')).toBeNull()
})

test('an invalid time leaves the field empty', () => {
  expect(momentToInput(Number.NaN, 'utc')).toBe('')
})

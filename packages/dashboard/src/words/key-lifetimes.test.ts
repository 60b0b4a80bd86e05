import { expect, test } from 'vitest'
import { lifetimeEnd, lifetimesBy } from './key-lifetimes.ts'

const now = Date.parse('2026-11-21T12:00:00Z')

test('without a limit, a key never expires unless the reader chooses a date', () => {
  expect(lifetimesBy(null, now)[0]?.label).toBe('Never')
  expect(lifetimeEnd('Never', null, now)).toBeNull()
  expect(lifetimeEnd('In 30 days', null, now)).toBe('2026-12-21T12:00:00.000Z')
})

test('with a limit, no lifetime ends after it, and the longest one ends with it', () => {
  const limit = '2027-01-01T00:00:00.000Z'
  expect(lifetimesBy(limit, now).map(({ label }) => label)).toEqual(['As late as possible', 'In 30 days'])
  expect(lifetimeEnd('As late as possible', limit, now)).toBe(limit)
  expect(lifetimeEnd('In 30 days', limit, now)).toBe('2026-12-21T12:00:00.000Z')
})

test('a choice that no longer fits becomes the limit', () => {
  const limit = '2026-11-21T13:00:00.000Z'
  expect(lifetimeEnd('In 30 days', limit, now)).toBe(limit)
})

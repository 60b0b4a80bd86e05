import { expect, test } from 'vitest'
import {
  earlierQuery,
  fittingRange,
  longestComparable,
  overviewSearch,
  rangeQuery,
} from './overview-range.ts'

const nowMs = Date.parse('2026-11-21T10:37:12Z')

test('bars are aligned to UTC, and the last one contains the current time', () => {
  expect(rangeQuery('1h', nowMs)).toEqual({ since: '2026-11-21T09:38:00.000Z', bucket: '1m' })
  expect(rangeQuery('24h', nowMs)).toEqual({ since: '2026-11-20T10:45:00.000Z', bucket: '15m' })
  expect(rangeQuery('7d', nowMs)).toEqual({ since: '2026-11-14T12:00:00.000Z', bucket: '2h' })
  expect(rangeQuery('30d', nowMs)).toEqual({ since: '2026-10-22T12:00:00.000Z', bucket: '6h' })
})

test('the period before is as long, and ends as long before now', () => {
  expect(earlierQuery('24h', nowMs)).toEqual({
    since: '2026-11-19T10:45:00.000Z',
    until: '2026-11-20T10:37:12.000Z',
    bucket: '15m',
  })
})

test('without a choice, the range is the shortest that contains everything', () => {
  const range = (at: string | null) => fittingRange(at === null ? null : Date.parse(at), nowMs)
  expect(range(null)).toBe('1h')
  expect(range('2026-11-21T10:35:00Z')).toBe('1h')
  expect(range('2026-11-21T09:38:00Z')).toBe('1h')
  expect(range('2026-11-21T09:37:00Z')).toBe('24h')
  expect(range('2026-11-18T00:00:00Z')).toBe('7d')
  expect(range('2026-11-01T00:00:00Z')).toBe('30d')
  expect(range('2025-01-01T00:00:00Z')).toBe('30d')
})

test('a range can be compared if all of the time before it is recorded', () => {
  const range = (at: string) => longestComparable(Date.parse(at), nowMs)
  expect(range('2026-11-21T10:00:00Z')).toBeNull()
  expect(range('2026-11-21T08:38:00Z')).toBe('1h')
  expect(range('2026-11-19T10:45:00Z')).toBe('24h')
  expect(range('2026-11-07T12:00:01Z')).toBe('24h')
  expect(range('2026-11-07T12:00:00Z')).toBe('7d')
  expect(range('2026-09-01T00:00:00Z')).toBe('30d')
})

test('the address contains a range only if it is known', () => {
  expect(overviewSearch({ range: '7d' })).toEqual({ range: '7d' })
  expect(overviewSearch({ range: 'toString' })).toEqual({})
})

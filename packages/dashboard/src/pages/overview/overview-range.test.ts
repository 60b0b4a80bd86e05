import { expect, test } from 'vitest'
import { overviewSearch, rangeQuery } from './overview-range.ts'

const nowMs = Date.parse('2026-11-21T10:37:12Z')

test('bars are aligned to UTC, and the last one contains the current time', () => {
  expect(rangeQuery('1h', nowMs)).toEqual({ since: '2026-11-21T09:38:00.000Z', bucket: '1m' })
  expect(rangeQuery('24h', nowMs)).toEqual({ since: '2026-11-20T10:45:00.000Z', bucket: '15m' })
  expect(rangeQuery('7d', nowMs)).toEqual({ since: '2026-11-14T12:00:00.000Z', bucket: '2h' })
  expect(rangeQuery('30d', nowMs)).toEqual({ since: '2026-10-22T12:00:00.000Z', bucket: '6h' })
})

test('the address contains a range only if it is known and not the default', () => {
  expect(overviewSearch({ range: '7d' })).toEqual({ range: '7d' })
  expect(overviewSearch({ range: '24h' })).toEqual({})
  expect(overviewSearch({ range: 'toString' })).toEqual({})
})

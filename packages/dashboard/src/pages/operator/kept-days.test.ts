import { expect, test } from 'vitest'
import { keptDays } from './kept-days.ts'

test('the tables of a day share one line; a table that was not analysed has no count', () => {
  const part = { is_empty: false, size_bytes: 1_000, rows_estimate: 10 }
  expect(
    keptDays([
      { table: 'event', day: '2026-11-21', ...part },
      { table: 'delivery', day: '2026-11-21', is_empty: true, size_bytes: 500, rows_estimate: null },
      { table: 'event', day: '2026-11-20', ...part },
    ]),
  ).toEqual([
    { day: '2026-11-21', sizeBytes: 1_500, rows: { event: 10, delivery: null, attempt: null } },
    { day: '2026-11-20', sizeBytes: 1_000, rows: { event: 10, delivery: null, attempt: null } },
  ])
})

test('a day that never had data is not listed, such as tomorrow', () => {
  const empty = { is_empty: true, size_bytes: 16_384, rows_estimate: null }
  expect(
    keptDays([
      { table: 'event', day: '2026-11-22', ...empty },
      { table: 'event', day: '2026-11-21', ...empty, is_empty: false },
      { table: 'event', day: '2026-11-20', ...empty },
    ]).map(({ day }) => day),
  ).toEqual(['2026-11-21'])
})

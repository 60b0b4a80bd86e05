import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayOfAll, oncePerDay, partitionDay } from './partition-day.ts'
import { firstUuidV7At } from './uuid-v7.ts'

const dayMs = 86_400_000
const midnightMs = Date.UTC(2026, 10, 23)

/** An id of this millisecond. */
const idAt = (ms: number, tail = 0): string =>
  firstUuidV7At(ms).slice(0, 24) + tail.toString(16).padStart(12, '0')

test('a partition is named after its day in UTC', () => {
  expect(partitionDay(midnightMs)).toBe('20261123')
  expect(partitionDay(midnightMs - 1)).toBe('20261122')
})

test('ids of one day share that day, from its first to its last millisecond', () => {
  expect(dayOfAll([idAt(midnightMs), idAt(midnightMs + dayMs - 1, 0xffffffffffff)])).toBe('20261123')
})

test('ids from both sides of midnight share no day, in any order', () => {
  const before = idAt(midnightMs - 1, 0xffffffffffff)
  const after = idAt(midnightMs)
  expect(dayOfAll([before, after])).toBeNull()
  expect(dayOfAll([after, before])).toBeNull()
  expect(dayOfAll([after, after, before, after])).toBeNull()
})

test('an empty list of ids has no day', () => {
  expect(dayOfAll([])).toBeNull()
})

test('ids share a day if and only if each alone has the same day', () => {
  const ms = fc.integer({ min: midnightMs - 2 * dayMs, max: midnightMs + 2 * dayMs })
  fc.assert(
    fc.property(fc.array(ms, { minLength: 1, maxLength: 6 }), moments => {
      const days = new Set(moments.map(partitionDay))
      expect(dayOfAll(moments.map(one => idAt(one)))).toBe(days.size === 1 ? [...days][0] : null)
    }),
  )
})

test('a value for a day is created once, and is correct again after many other days', () => {
  let made = 0
  const of = oncePerDay(ofDay => ({ ofDay, nth: made++ }))
  const first = of('20261123')
  expect(of('20261123')).toBe(first)
  expect(of(null).ofDay).toBe('')
  for (let day = 10; day <= 30; day++) expect(of(`202610${day}`).ofDay).toBe(`_202610${day}`)
  expect(of('20261123').ofDay).toBe('_20261123')
})

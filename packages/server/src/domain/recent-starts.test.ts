import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Place } from './line.ts'
import { type RecentStart, RecentStarts, recentMax } from './recent-starts.ts'

function full(nowMs: number) {
  const recent = new RecentStarts()
  const starts = Array.from({ length: recentMax }, () => recent.begins(nowMs, 1))
  return { recent, starts }
}

test('it is full until one ends', () => {
  const { recent, starts } = full(0)
  expect(recent.isFull(1)).toBe(true)
  for (const start of starts.slice(0, 1)) recent.ended(start)
  expect(recent.isFull(1)).toBe(false)
  recent.begins(1, 1)
  expect(recent.isFull(1)).toBe(true)
})

test('what waits for its receiver is not counted, and its end makes no room a second time', () => {
  const { recent, starts } = full(0)
  expect(recent.isFull(39)).toBe(true)
  expect(recent.isFull(40)).toBe(false)
  for (let n = 0; n < recentMax; n++) recent.begins(40, 1)
  for (const start of starts) recent.ended(start)
  expect(recent.isFull(41)).toBe(true)
})

test.each([
  { quickestMs: 0, underWay: 60 },
  { quickestMs: 2, underWay: 60 },
  { quickestMs: 4, underWay: 120 },
  { quickestMs: 16, underWay: 480 },
])(
  'at receivers that take $quickestMs ms, $underWay may be under way: 30,000 in a second',
  ({ quickestMs, underWay }) => {
    const recent = new RecentStarts()
    let begun = 0
    for (; !recent.isFull(1); begun++) recent.begins(1, quickestMs)
    expect(begun).toBe(underWay)
  },
)

const steps = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: fc.record({ quickestMs: fc.constantFrom(1, 2, 4, 32) }) },
    { weight: 5, arbitrary: fc.record({ which: fc.nat(300) }) },
    { weight: 1, arbitrary: fc.record({ ms: fc.nat(15) }) },
  ),
  { minLength: 300, maxLength: 600 },
)

test('it is full when what has begun of late and not ended makes up what may be under way, and at no other time', () => {
  fc.assert(
    fc.property(steps, all => {
      const recent = new RecentStarts()
      const underWay: Array<Place<RecentStart>> = []
      let nowMs = 0
      for (const step of all) {
        if ('quickestMs' in step) underWay.push(recent.begins(nowMs, step.quickestMs))
        else if ('ms' in step) nowMs += step.ms
        else for (const start of underWay.splice(step.which, 1)) recent.ended(start)
        const parts = underWay
          .filter(({ item }) => item.atMs > nowMs - 40)
          .reduce((sum, { item }) => sum + item.part, 0)
        expect(recent.isFull(nowMs)).toBe(parts >= recentMax)
      }
    }),
  )
})

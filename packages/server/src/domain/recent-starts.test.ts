import { expect, test } from 'vitest'
import { RecentStarts, recentMax } from './recent-starts.ts'

function full(nowMs: number) {
  const recent = new RecentStarts()
  const starts = Array.from({ length: recentMax }, () => recent.begins(nowMs))
  return { recent, starts }
}

test('it is full until one ends', () => {
  const { recent, starts } = full(0)
  expect(recent.isFull(1)).toBe(true)
  for (const start of starts.slice(0, 1)) recent.ended(start)
  expect(recent.isFull(1)).toBe(false)
  recent.begins(1)
  expect(recent.isFull(1)).toBe(true)
})

test('what waits for its receiver is not counted, and its end makes no room a second time', () => {
  const { recent, starts } = full(0)
  expect(recent.isFull(39)).toBe(true)
  expect(recent.isFull(40)).toBe(false)
  for (let n = 0; n < recentMax; n++) recent.begins(40)
  for (const start of starts) recent.ended(start)
  expect(recent.isFull(41)).toBe(true)
})

import { expect, test } from 'vitest'
import { inSlices } from './in-slices.ts'

/** A clock that advances by `stepMs` at each call. */
function clockOf(stepMs: number): () => number {
  let nowMs = 0
  return () => (nowMs += stepMs)
}

test('each item is processed once and in order, and other work runs between slices', async () => {
  const done: string[] = []
  // two calls per item: a slice of four milliseconds has three items
  const working = inSlices('abcdefg'.split(''), (item, index) => done.push(`${item}${index}`), clockOf(1.5))
  const others = (async () => {
    while (done.length < 7) {
      done.push('others')
      await new Promise(resolve => setImmediate(resolve))
    }
  })()
  await Promise.all([working, others])
  expect(done.filter(one => one !== 'others')).toEqual(['a0', 'b1', 'c2', 'd3', 'e4', 'f5', 'g6'])
  const between = done.slice(done.indexOf('c2'), done.indexOf('g6'))
  expect(between).toContain('others')
})

test('an item that takes longer than a slice gets a slice of its own', async () => {
  const done: number[] = []
  const working = inSlices([1, 2, 3], item => done.push(item), clockOf(100))
  expect(done).toEqual([1])
  await working
  expect(done).toEqual([1, 2, 3])
})

test('a list that fits into one slice is finished before any other work runs', async () => {
  const done: number[] = []
  const working = inSlices([1, 2, 3], item => done.push(item), clockOf(0))
  expect(done).toEqual([1, 2, 3])
  await working
})

import { expect, test } from 'vitest'
import { inSlices } from './in-slices.ts'

test('each item is worked on once, in order, and others get their turn after each slice', async () => {
  const done: string[] = []
  const working = inSlices('abcdefg'.split(''), 3, (item, index) => done.push(`${item}${index}`))
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

test('a list that fits into one slice is done before anything else', async () => {
  const done: number[] = []
  const working = inSlices([1, 2, 3], 3, item => done.push(item))
  expect(done).toEqual([1, 2, 3])
  await working
})

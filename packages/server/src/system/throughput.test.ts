import { expect, test } from 'vitest'
import { Throughput } from './throughput.ts'

function startAt(seconds: number) {
  let nowMs = seconds * 1_000
  const throughput = new Throughput(() => nowMs)
  return {
    throughput,
    travel: (by: number) => {
      nowMs += by * 1_000
    },
  }
}

test('a rate is the average of the last minute, and what is older is forgotten', () => {
  const { throughput, travel } = startAt(1_000)
  throughput.count('delivered', 300)
  travel(59.5)
  throughput.count('delivered', 60)
  throughput.count('failed', 30)
  expect(throughput.perSecond()).toEqual({
    accepted: 0,
    delivered: expect.closeTo(6, 0),
    failed: expect.closeTo(0.5),
  })
  travel(30)
  expect(throughput.perSecond()).toEqual({ accepted: 0, delivered: 1, failed: 0.5 })
  travel(40)
  expect(throughput.perSecond()).toEqual({ accepted: 0, delivered: 0, failed: 0 })
})

test('a process that has run for ten seconds has an average of ten seconds', () => {
  const { throughput, travel } = startAt(5)
  throughput.count('accepted', 50)
  travel(10)
  expect(throughput.perSecond().accepted).toBe(5)
})

test('the first second does not count as a fraction of one', () => {
  const { throughput, travel } = startAt(5)
  travel(0.01)
  throughput.count('accepted', 3)
  expect(throughput.perSecond().accepted).toBe(3)
})

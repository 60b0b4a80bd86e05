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

test('a rate is the average over the last minute, without older counts', () => {
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

test('a process that has run for ten seconds averages over ten seconds', () => {
  const { throughput, travel } = startAt(5)
  throughput.count('accepted', 50)
  travel(10)
  expect(throughput.perSecond().accepted).toBe(5)
})

test('a process in its first second averages over a full second', () => {
  const { throughput, travel } = startAt(5)
  travel(0.01)
  throughput.count('accepted', 3)
  expect(throughput.perSecond().accepted).toBe(3)
})

import { expect, test } from 'vitest'
import { newQueue, prove } from '../../test/dispatch/new-queue.ts'
import { someDelivery } from '../../test/dispatch/some-delivery.ts'
import { BulkStarts } from '../domain/bulk-starts.ts'
import { recentMax } from '../domain/recent-starts.ts'
import type { Started } from './send-queue.ts'

const endpoints = (started: readonly Started[]): string[] => started.map(one => one.taken.endpointId)

test('an endpoint has no more under way than its number, and no more than two while it fails', () => {
  const { queue, started } = newQueue(100, 5)
  for (let n = 0; n < 10; n++) queue.add(someDelivery('a', 'well'), 0)
  for (let n = 0; n < 10; n++) queue.add(someDelivery('a', 'failing'), 3)
  queue.pump()
  expect(endpoints(started).filter(id => id === 'well')).toHaveLength(5)
  expect(endpoints(started).filter(id => id === 'failing')).toHaveLength(2)
})

test('endpoints that fail share a quarter, and with the unproven ones no more than half', () => {
  const { queue, started } = newQueue(40, 5)
  for (let n = 0; n < 100; n++) queue.add(someDelivery('a', `failing ${n}`), 3)
  queue.pump()
  expect(started).toHaveLength(10)
  for (const account of 'bcdefghijklm') {
    for (let n = 0; n < 100; n++) queue.add(someDelivery(account, `${account}'s new ${n}`), 0)
  }
  queue.pump()
  expect(started).toHaveLength(20)
})

test('of what is not proven an account takes no more than it leaves to others', () => {
  const { queue, started } = newQueue(400, 20)
  for (let n = 0; n < 1_000; n++) queue.add(someDelivery('crowd', `hanging ${n}`), 0)
  queue.pump()
  expect(started).toHaveLength(100)
  expect(queue.rooms.partOfUnproven('crowd', queue.rooms.byShare())).toBe(0)
  queue.takeOut(() => true)
  expect(queue.rooms.partOfUnproven('calm', queue.rooms.byShare())).toBeGreaterThan(20)
  queue.add(someDelivery('calm', 'new'), 0)
  queue.pump()
  expect(endpoints(started)).toContain('new')
})

test('a proven endpoint finds room whatever hangs beside it', () => {
  const { queue, started } = newQueue(40, 20)
  prove(queue, started, 'well', 'success')
  for (let n = 0; n < 1_000; n++) queue.add(someDelivery('a', `hanging ${n}`), 0)
  queue.pump()
  for (let n = 0; n < 20; n++) queue.add(someDelivery('account of well', 'well'), 0)
  queue.pump()
  expect(endpoints(started).filter(id => id === 'well')).toHaveLength(20)
})

test('after a success the failing endpoint is trusted again', () => {
  const { queue, started } = newQueue(100, 5)
  for (let n = 0; n < 3; n++) prove(queue, started, 'flapping', 'failure')
  for (let n = 0; n < 10; n++) queue.add(someDelivery('account of flapping', 'flapping'), 0)
  queue.pump()
  expect(started).toHaveLength(2)
  const [one] = started
  if (one !== undefined) queue.finished(one, 'success', 1)
  queue.pump()
  expect(queue.inFlight).toBe(5)
})

test('an account gets at most half while another has something queued', () => {
  const { queue, started } = newQueue(20, 20)
  for (const [account, endpoint] of [
    ['loud', 'x'],
    ['loud', 'y'],
    ['quiet', 'z'],
  ] as const) {
    queue.add(someDelivery(account, endpoint), 0)
    queue.pump()
    const one = started.pop()
    if (one !== undefined) queue.finished(one, 'success', 1)
  }
  for (let n = 0; n < 40; n++) queue.add(someDelivery('loud', n % 2 === 0 ? 'x' : 'y'), 0)
  for (let n = 0; n < 15; n++) queue.add(someDelivery('quiet', 'z'), 0)
  queue.pump()
  expect(started.filter(one => one.taken.accountId === 'loud')).toHaveLength(10)
  expect(started.filter(one => one.taken.accountId === 'quiet')).toHaveLength(10)
})

test('endpoints of an account take turns', () => {
  const { queue, started } = newQueue(16, 8)
  for (let n = 0; n < 8; n++) queue.add(someDelivery('a', 'x'), 0)
  for (let n = 0; n < 8; n++) queue.add(someDelivery('a', 'y'), 0)
  queue.pump()
  expect(endpoints(started)).toEqual(['x', 'y', 'x', 'y'])
})

test('what may not be started any more is taken out, and the rest keeps its place', () => {
  const { queue, started } = newQueue(1, 1)
  for (let n = 0; n < 4; n++) queue.add({ ...someDelivery('a', 'x'), startByMs: n }, 0)
  expect(queue.takeOut(one => one.startByMs < 2)).toHaveLength(2)
  queue.pump()
  expect(started[0]?.taken.startByMs).toBe(2)
  expect(queue.queued).toBe(1)
})

test('where others report a few at a time, what was reported in bulk begins at its pace and the others’ at once', () => {
  let nowMs = 0
  const wakes: Array<() => void> = []
  const bulk = new BulkStarts(() => 1)
  const { queue, started } = newQueue(200, 50, {
    clock: { monotonicMs: () => nowMs },
    bulk,
    soon: wake => wakes.push(wake),
  })
  bulk.reported('bursting', nowMs)
  for (let n = 0; n < 30; n++) queue.add(someDelivery('bursting', 'burst'), 0)
  for (let n = 0; n < 5; n++) queue.add(someDelivery('other', 'few'), 0)
  queue.pump()
  expect(endpoints(started).filter(id => id === 'few')).toHaveLength(5)
  expect(endpoints(started).filter(id => id === 'burst')).toHaveLength(4)
  // it is looked at once more, however often it was seen to wait
  expect(wakes).toHaveLength(1)
  nowMs += 2
  wakes.pop()?.()
  expect(endpoints(started).filter(id => id === 'burst')).toHaveLength(6)
  expect(queue.rooms.ofAccount('bursting')).toBe(400 - 24)
  // the last twenty stand in nobody's way
  nowMs += 100
  wakes.pop()?.()
  expect(endpoints(started).filter(id => id === 'burst')).toHaveLength(30)
  expect(wakes).toHaveLength(0)
})

test('at proven endpoints no more begins than the processor gets through, unless it waits for its receivers', () => {
  let nowMs = 0
  const wakes: Array<() => void> = []
  const { queue, started } = newQueue(10_000, 5_000, {
    clock: { monotonicMs: () => nowMs },
    soon: wake => wakes.push(wake),
  })
  prove(queue, started, 'proven', 'success')
  for (let n = 0; n < 3 * recentMax; n++) queue.add(someDelivery('account of proven', 'proven'), 0)
  for (let n = 0; n < 2 * recentMax; n++) queue.add(someDelivery('other', 'unknown'), 0)
  queue.pump()
  const begun = (endpointId: string): number => endpoints(started).filter(id => id === endpointId).length
  expect([begun('proven'), begun('unknown')]).toEqual([recentMax, 2 * recentMax])

  const answered = started.find(one => one.taken.endpointId === 'proven')
  if (answered !== undefined) queue.finished(answered, 'success', 1)
  queue.pump()
  expect(begun('proven')).toBe(recentMax + 1)

  // nobody answers: it is looked at once more, however often it was seen to wait
  expect(wakes).toHaveLength(1)
  nowMs += 1_000
  wakes.pop()?.()
  expect(begun('proven')).toBe(2 * recentMax + 1)
})

test('at a receiver that takes longer more may be under way, so that as many begin in a second', () => {
  const { queue, started } = newQueue(10_000, 5_000)
  prove(queue, started, 'slow', 'success', 8)
  for (let n = 0; n < 5 * recentMax; n++) queue.add(someDelivery('account of slow', 'slow'), 0)
  queue.pump()
  expect(started).toHaveLength(4 * recentMax)
})

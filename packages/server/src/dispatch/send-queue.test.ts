import { expect, test } from 'vitest'
import { someDelivery } from '../../test/dispatch/some-delivery.ts'
import { BulkStarts } from '../domain/bulk-starts.ts'
import { recentMax } from '../domain/recent-starts.ts'
import { SendQueue, type SendQueueOptions, type Started } from './send-queue.ts'

/** Only what differs needs to be said: by default nothing has a pace, and it is always the same moment. */
function newQueue(
  inFlightMax: number,
  inFlightPerEndpointMax: number,
  options: Partial<SendQueueOptions> = {},
): { queue: SendQueue; started: Started[] } {
  const started: Started[] = []
  const queue = new SendQueue({
    clock: { monotonicMs: () => 0 },
    bulk: new BulkStarts(() => Number.POSITIVE_INFINITY),
    soon: () => {},
    inFlightMax,
    inFlightPerEndpointMax,
    gathered: () => 0,
    gatheredOf: () => 0,
    start: one => started.push(one),
    ...options,
  })
  return { queue, started }
}

const endpoints = (started: readonly Started[]): string[] => started.map(one => one.taken.endpointId)

/** Lets one attempt at an endpoint end, so that the queue knows how it fares. */
function prove(
  queue: SendQueue,
  started: Started[],
  endpointId: string,
  outcome: 'success' | 'failure',
): void {
  queue.add(someDelivery(`account of ${endpointId}`, endpointId), 0)
  queue.pump()
  const one = started.pop()
  if (one === undefined) throw new Error('it was not started')
  queue.finished(one, outcome, 1)
}

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
  expect(queue.partOfUnproven('crowd', queue.roomByShare())).toBe(0)
  queue.takeOut(() => true)
  expect(queue.partOfUnproven('calm', queue.roomByShare())).toBeGreaterThan(20)
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

test('what only hangs does not fill the queue, so that a proven endpoint’s deliveries can be taken', () => {
  const { queue, started } = newQueue(40, 20)
  prove(queue, started, 'well', 'success')
  expect(queue.roomByShare().unproven).toBe(20)
  for (let n = 0; n < 20; n++) queue.add(someDelivery('a', `hanging ${n}`), 0)
  queue.pump()
  expect(queue.roomByShare()).toMatchObject({ unproven: 0, failing: 0 })
  expect(queue.roomByShare().proven).toBeGreaterThan(1_000)
  const rooms = queue.roomsForHandOff(false, true)
  expect(rooms.perEndpoint).toBe(0)
  expect(rooms.known(new Map([['account of well', 20]])).get('well')).toBeGreaterThanOrEqual(20)
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

test('results that are not written yet take room: where the database cannot keep up, nothing more is taken', () => {
  const free = newQueue(100, 5).queue.room
  expect(newQueue(100, 5, { gathered: () => 1_000 }).queue.room).toBe(free - 1_000)
  expect(newQueue(100, 5, { gathered: () => 1_000_000 }).queue.room).toBe(0)
})

test('an account that bursts fills half of the queue, so that the others have room in it', () => {
  const { queue, started } = newQueue(1_000, 500)
  prove(queue, started, 'bursts', 'success')
  prove(queue, started, 'calm', 'success')
  const all = queue.room
  const part = queue.roomOfAccount('account of bursts')
  for (let n = 0; n < part; n++) queue.add(someDelivery('account of bursts', 'bursts'), 0)

  const rooms = queue.roomsForHandOff(false, true)
  const roomOf = (name: string): number =>
    rooms.known(new Map([[`account of ${name}`, 1_000]])).get(name) ?? rooms.perEndpoint
  expect(roomOf('bursts')).toBe(0)
  expect(queue.roomOfAccount('account of bursts')).toBe(0)
  expect(roomOf('calm')).toBeGreaterThan(0)
  expect(queue.roomOf('calm', 0)).toBeGreaterThan(0)
  expect(rooms.total).toBe(all - part)
  expect(rooms.total).toBeGreaterThan(0)
})

test('an endpoint is named only where its room matters, and gets what it has room for whether it is named or not', () => {
  const { queue, started } = newQueue(100, 20)
  prove(queue, started, 'idle', 'success')
  prove(queue, started, 'crowded', 'success')
  prove(queue, started, 'failing', 'failure')
  for (let n = 0; n < 2; n++) prove(queue, started, 'failing', 'failure')
  while (queue.roomOf('crowded', 0) > 3) queue.add(someDelivery('account of crowded', 'crowded'), 0)
  const rooms = queue.roomsForHandOff(false, true)
  const named = (name: string, events: number): number | undefined =>
    rooms.known(new Map([[`account of ${name}`, events]])).get(name)

  expect(rooms.perEndpoint).toBe(20)
  expect([named('idle', 1), named('idle', 20), named('unknown', 1_000)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(named('idle', 1_000)).toBeGreaterThanOrEqual(1_000)
  expect([named('crowded', 3), named('crowded', 4)]).toEqual([undefined, 3])
  expect(named('failing', 1)).toBe(0)
})

test('what arrives a few events at a time finds room when bulk has taken all that it may', () => {
  const { queue } = newQueue(1_000, 500)
  for (let n = 0; queue.room > 0; n++) queue.add(someDelivery(`account ${n % 10}`, `bulk ${n % 10}`), 0)
  expect(queue.roomsForHandOff(false, true).total).toBe(0)
  expect(queue.roomsForHandOff(false, false).total).toBeGreaterThan(0)
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
  expect(queue.roomOfAccount('bursting')).toBe(400 - 24)
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

test('an account is crowded where its quick receivers have less room than they could have, and no other is', () => {
  const { queue, started } = newQueue(100, 20)
  prove(queue, started, 'quick', 'success')
  const account = 'account of quick'
  expect([queue.isCrowded(account, 500), queue.isCrowded('account of nobody', 500)]).toEqual([false, false])
  for (let n = 0; n < 1_700; n++) queue.add(someDelivery(account, 'quick'), 0)
  expect([queue.isCrowded(account, 500), queue.isCrowded(account, 200)]).toEqual([true, false])
  // of one that fails nothing is expected
  prove(queue, started, 'failing', 'failure')
  expect(queue.isCrowded('account of failing', 500)).toBe(false)
})

test('bulk is paced where its pace leaves it less than the queue holds', () => {
  let perMs = Number.POSITIVE_INFINITY
  const { queue } = newQueue(100, 20, { bulk: new BulkStarts(() => perMs) })
  expect(queue.isPaced).toBe(false)
  // who reports a handful a second makes it so slow, and whoever reports hundreds slower than that
  perMs = 50
  expect(queue.isPaced).toBe(false)
  perMs = 2
  expect(queue.isPaced).toBe(true)
})

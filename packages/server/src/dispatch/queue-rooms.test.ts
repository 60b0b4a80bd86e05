import { expect, test } from 'vitest'
import { newQueue, prove } from '../../test/dispatch/new-queue.ts'
import { someDelivery } from '../../test/dispatch/some-delivery.ts'
import { BulkStarts } from '../domain/bulk-starts.ts'

test('what only hangs does not fill the queue, so that a proven endpoint’s deliveries can be taken', () => {
  const { queue, started } = newQueue(40, 20)
  prove(queue, started, 'well', 'success')
  expect(queue.rooms.byShare().unproven).toBe(20)
  for (let n = 0; n < 20; n++) queue.add(someDelivery('a', `hanging ${n}`), 0)
  queue.pump()
  expect(queue.rooms.byShare()).toMatchObject({ unproven: 0, failing: 0 })
  expect(queue.rooms.byShare().proven).toBeGreaterThan(1_000)
  const rooms = queue.rooms.forHandOff(false, true)
  expect(rooms.perEndpoint).toBe(0)
  expect(rooms.known(new Map([['account of well', 20]])).get('well')).toBeGreaterThanOrEqual(20)
})

test('results that are not written yet take room: where the database cannot keep up, nothing more is taken', () => {
  const free = newQueue(100, 5).queue.rooms.total
  expect(newQueue(100, 5, { gathered: () => 1_000 }).queue.rooms.total).toBe(free - 1_000)
  expect(newQueue(100, 5, { gathered: () => 1_000_000 }).queue.rooms.total).toBe(0)
})

test('an account that bursts fills half of the queue, so that the others have room in it', () => {
  const { queue, started } = newQueue(1_000, 500)
  prove(queue, started, 'bursts', 'success')
  prove(queue, started, 'calm', 'success')
  const all = queue.rooms.total
  const part = queue.rooms.ofAccount('account of bursts')
  for (let n = 0; n < part; n++) queue.add(someDelivery('account of bursts', 'bursts'), 0)

  const rooms = queue.rooms.forHandOff(false, true)
  const roomOf = (name: string): number =>
    rooms.known(new Map([[`account of ${name}`, 1_000]])).get(name) ?? rooms.perEndpoint
  expect(roomOf('bursts')).toBe(0)
  expect(queue.rooms.ofAccount('account of bursts')).toBe(0)
  expect(roomOf('calm')).toBeGreaterThan(0)
  expect(queue.rooms.ofEndpoint('calm', 0)).toBeGreaterThan(0)
  expect(rooms.total).toBe(all - part)
  expect(rooms.total).toBeGreaterThan(0)
})

test('an endpoint is named only where its room matters, and gets what it has room for whether it is named or not', () => {
  const { queue, started } = newQueue(100, 20)
  prove(queue, started, 'idle', 'success')
  prove(queue, started, 'crowded', 'success')
  prove(queue, started, 'failing', 'failure')
  for (let n = 0; n < 2; n++) prove(queue, started, 'failing', 'failure')
  while (queue.rooms.ofEndpoint('crowded', 0) > 3) queue.add(someDelivery('account of crowded', 'crowded'), 0)
  const rooms = queue.rooms.forHandOff(false, true)
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
  for (let n = 0; queue.rooms.total > 0; n++)
    queue.add(someDelivery(`account ${n % 10}`, `bulk ${n % 10}`), 0)
  expect(queue.rooms.forHandOff(false, true).total).toBe(0)
  expect(queue.rooms.forHandOff(false, false).total).toBeGreaterThan(0)
})

test('an account is crowded where its quick receivers have less room than they could have, and no other is', () => {
  const { queue, started } = newQueue(100, 20)
  prove(queue, started, 'quick', 'success')
  const account = 'account of quick'
  expect([queue.rooms.isCrowded(account, 500), queue.rooms.isCrowded('account of nobody', 500)]).toEqual([
    false,
    false,
  ])
  for (let n = 0; n < 1_700; n++) queue.add(someDelivery(account, 'quick'), 0)
  expect([queue.rooms.isCrowded(account, 500), queue.rooms.isCrowded(account, 200)]).toEqual([true, false])
  // of one that fails nothing is expected
  prove(queue, started, 'failing', 'failure')
  expect(queue.rooms.isCrowded('account of failing', 500)).toBe(false)
})

test('bulk is paced where its pace leaves it less than the queue holds', () => {
  let perMs = Number.POSITIVE_INFINITY
  const { queue } = newQueue(100, 20, { bulk: new BulkStarts(() => perMs) })
  expect(queue.rooms.isPaced).toBe(false)
  // who reports a handful a second makes it so slow, and whoever reports hundreds slower than that
  perMs = 50
  expect(queue.rooms.isPaced).toBe(false)
  perMs = 2
  expect(queue.rooms.isPaced).toBe(true)
})

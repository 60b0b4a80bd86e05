import { expect, test } from 'vitest'
import { newQueue } from '../../test/dispatch/new-queue.ts'
import { someDelivery } from '../../test/dispatch/some-delivery.ts'
import type { TakenDelivery } from '../domain/taken-delivery.ts'
import { firstUuidV7At } from '../domain/uuid-v7.ts'
import { RoomForBulk } from './room-for-bulk.ts'

const epochMs = Date.UTC(2026, 10, 26)

/** One endpoint of one account, which answers each of its twenty attempts at once after two milliseconds. */
function open() {
  const clock = { nowMs: () => epochMs + clock.atMs, monotonicMs: () => clock.atMs, atMs: 0 }
  const state = { hasDue: false, mayWait: true, answers: true }
  const { queue, started } = newQueue(400, 20, { clock })
  const answer = (): void => {
    for (const one of started.splice(0)) queue.finished(one, 'success', 2)
    queue.pump()
  }
  const room = new RoomForBulk({
    rooms: queue.rooms,
    clock,
    hasDue: () => state.hasDue,
    mayWait: () => state.mayWait,
    rest: async ms => {
      for (let n = 0; n < ms; n += 2) if (state.answers) answer()
      clock.atMs += ms
      await Promise.resolve()
    },
  })
  const hold = (count: number): void => {
    for (let n = 0; n < count; n++) queue.add(delivery(0), 0)
    queue.pump()
    answer()
  }
  const waitedMs = async (events: number): Promise<number> => {
    const fromMs = clock.atMs
    await room.wait(Array.from({ length: events }, () => 'account'))
    return clock.atMs - fromMs
  }
  return { state, clock, room, queue, hold, waitedMs }
}

/** A delivery whose event was accepted so long before the clock began. */
const delivery = (ageMs: number): TakenDelivery => ({
  ...someDelivery('account', 'endpoint'),
  eventId: firstUuidV7At(epochMs - ageMs),
})

test('what finds room does not wait', async () => {
  const { waitedMs } = open()
  expect(await waitedMs(500)).toBe(0)
})

test('what finds none waits until so much is sent that all of it has room', async () => {
  const { hold, queue, waitedMs } = open()
  hold(1_840)
  expect(queue.rooms.isCrowded('account', 500)).toBe(true)
  // 180 have room, and forty more with each look, every four milliseconds
  expect(await waitedMs(500)).toBe(32)
  expect(queue.rooms.isCrowded('account', 500)).toBe(false)
})

test('a report waits for a tenth of a second at most', async () => {
  const { state, hold, waitedMs } = open()
  hold(1_840)
  state.answers = false
  expect(await waitedMs(500)).toBe(100)
})

test('behind something that is due it waits until that is claimed, although there is room', async () => {
  const { state, waitedMs } = open()
  state.hasDue = true
  expect(await waitedMs(500)).toBe(100)
  state.hasDue = false
  expect(await waitedMs(500)).toBe(0)
})

test('behind a backlog that claims do not catch up with within a second nobody waits', async () => {
  const { state, clock, waitedMs } = open()
  state.hasDue = true
  await waitedMs(500)
  clock.atMs += 1_000
  expect(await waitedMs(500)).toBe(0)
  state.hasDue = false
  await waitedMs(500)
  state.hasDue = true
  // another backlog, another second
  expect(await waitedMs(500)).toBe(100)
})

test('the age of what is claimed tells how far claims are behind', async () => {
  const { state, clock, room, waitedMs } = open()
  state.hasDue = true
  await waitedMs(500)
  room.claimed([delivery(1_500)])
  expect(await waitedMs(500)).toBe(0)
  room.claimed([{ ...delivery(1_500), attemptCount: 1 }])
  expect(await waitedMs(500)).toBe(0)
  clock.atMs += 5_000
  room.claimed([delivery(-4_500)])
  expect(await waitedMs(500)).toBe(100)
})

test('where nothing is taken, or bulk has a pace of its own, nobody waits', async () => {
  const { state, waitedMs } = open()
  state.hasDue = true
  state.mayWait = false
  expect(await waitedMs(500)).toBe(0)
})

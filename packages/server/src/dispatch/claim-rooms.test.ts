import { expect, test } from 'vitest'
import { newQueue } from '../../test/dispatch/new-queue.ts'
import { type ClaimBounds, type ClaimRooms, claimRooms } from './claim-rooms.ts'
import { DueShares } from './due-shares.ts'

const all: ClaimBounds = { max: 500, ofEach: 500, asks: () => true }

/** A queue that knows nobody, and endpoints with something due: `a1` belongs to the account `a`. */
function open(inFlightMax: number, endpoints: ReadonlyArray<[endpointId: string, failuresInRow: number]>) {
  const { queue } = newQueue(inFlightMax, 20)
  const due = new DueShares(({ endpointId, failuresInRow }) => queue.shareOf(endpointId, failuresInRow))
  for (const [endpointId, failuresInRow] of endpoints)
    due.set({ accountId: endpointId.charAt(0), endpointId, failuresInRow, paced: false })
  const claim = (bounds: Partial<ClaimBounds>): ClaimRooms =>
    claimRooms(due, queue.rooms, { ...all, ...bounds })
  const asked = (bounds: Partial<ClaimBounds> = {}): Record<string, number> =>
    Object.fromEntries(claim(bounds).rooms.map(one => [one.endpointId, one.room]))
  return { asked, claim }
}

const sum = (rooms: Record<string, number>): number =>
  Object.values(rooms).reduce((all, room) => all + room, 0)

test('what is taken for endpoints that fail leaves less for those not proven', () => {
  const failing = Array.from({ length: 26 }, (_, n): [string, number] => [String.fromCharCode(97 + n), 9])
  // a quarter of forty, and a half
  expect(sum(open(40, failing).asked())).toBe(10)
  expect(sum(open(40, [...failing, ['A1', 0], ['B1', 0], ['C1', 0]]).asked())).toBe(20)
})

test('an account with many endpoints not proven takes no more than it leaves', () => {
  const crowd = Array.from({ length: 50 }, (_, n): [string, number] => [`a${n}`, 0])
  const rooms = open(100, [...crowd, ['b1', 0]]).asked()
  const ofCrowd = crowd.reduce((sum, [endpointId]) => sum + (rooms[endpointId] ?? 0), 0)
  expect(ofCrowd).toBe(25)
  expect(rooms['b1']).toBeGreaterThanOrEqual(7)
})

test('who is left in line because there is no room is known', () => {
  const due: Array<[string, number]> = [
    ['a1', 0],
    ['b1', 0],
  ]
  expect(open(100, due).claim({}).ranOut).toBe(false)
  expect(open(100, due).claim({ max: 1 }).ranOut).toBe(true)
  expect(open(100, due).asked({ max: 1 })).toEqual({ a1: 1 })
  expect(open(100, due).asked({ ofEach: 3 })).toEqual({ a1: 3, b1: 3 })
})

test('a claim for proven endpoints asks nobody else', () => {
  const due: Array<[string, number]> = [
    ['a1', 0],
    ['b1', 9],
  ]
  expect(open(100, due).claim({ asks: share => share === 'proven' })).toEqual({
    rooms: [],
    ranOut: false,
    asksUnproven: false,
  })
  expect(open(100, due).claim({}).asksUnproven).toBe(true)
})

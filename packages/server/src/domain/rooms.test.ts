import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Rooms, roomsBeside } from './rooms.ts'
import type { TakenDelivery } from './taken-delivery.ts'

/** One endpoint of an account: what there is room for, what of it is taken already, and what the account brings now. */
const endpoints = fc.array(
  fc.record({ room: fc.nat(30), taken: fc.nat(30), events: fc.integer({ min: 1, max: 30 }) }),
  { maxLength: 5 },
)

/** Names an endpoint only where it matters, as the send queue does. */
function roomsOf(all: ReadonlyArray<{ room: number }>, perEndpoint: number): Rooms {
  return {
    total: 1_000,
    perEndpoint,
    known: events =>
      new Map(
        [...events]
          .map(([accountId, asked]) => ({ accountId, asked, room: all[Number(accountId)]?.room ?? 0 }))
          .filter(({ asked, room }) => Math.min(room, asked) !== Math.min(perEndpoint, asked))
          .map(({ accountId, room }) => [`of ${accountId}`, room]),
      ),
  }
}

test('what is taken already is left out of an endpoint’s room, whether it is named or not', () => {
  fc.assert(
    fc.property(endpoints, fc.nat(30), (all, perEndpoint) => {
      const taken = all.flatMap((endpoint, n) =>
        Array.from(
          { length: Math.min(endpoint.taken, endpoint.room) },
          () => ({ accountId: `${n}`, endpointId: `of ${n}` }) as TakenDelivery,
        ),
      )
      const left = roomsBeside(roomsOf(all, perEndpoint), taken)
      const known = left.known(new Map(all.map(({ events }, n) => [`${n}`, events])))
      for (const [n, { room, events, taken: asked }] of all.entries()) {
        const handedOver = Math.min(known.get(`of ${n}`) ?? left.perEndpoint, events)
        expect(handedOver).toBe(Math.min(room - Math.min(asked, room), events))
      }
      expect(left.total).toBe(1_000 - taken.length)
    }),
  )
})

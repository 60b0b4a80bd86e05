import type { TakenDelivery } from './taken-delivery.ts'

/** How many more deliveries a process could start within the second that it may hold them unstarted. */
export interface Rooms {
  /** In all. */
  readonly total: number
  /** For an endpoint that this process knows nothing about. */
  readonly perEndpoint: number
  /**
   * For the endpoints of the given accounts at which it matters that the answer is another than `perEndpoint`.
   * @param events how many each account brings: no more is asked of any of its endpoints
   */
  known(events: ReadonlyMap<string, number>): Map<string, number>
}

/** What is left of the rooms when these deliveries are this process's too. */
export function roomsBeside(rooms: Rooms, taken: readonly TakenDelivery[]): Rooms {
  if (taken.length === 0) return rooms
  return {
    total: Math.max(0, rooms.total - taken.length),
    perEndpoint: rooms.perEndpoint,
    known: events => {
      const asked = new Map(events)
      for (const { accountId } of taken) {
        const ofAccount = asked.get(accountId)
        if (ofAccount !== undefined) asked.set(accountId, ofAccount + 1)
      }
      const left = rooms.known(asked)
      for (const { endpointId } of taken)
        left.set(endpointId, Math.max(0, (left.get(endpointId) ?? rooms.perEndpoint) - 1))
      return left
    },
  }
}

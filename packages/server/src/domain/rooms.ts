import type { TakenDelivery } from './taken-delivery.ts'

/** How many more deliveries a process could start within the second that it may hold them unstarted. */
export interface Rooms {
  /** In all. */
  readonly total: number
  /** For an endpoint that this process knows nothing about. */
  readonly perEndpoint: number
  /** For the endpoints of the given accounts where the answer differs from `perEndpoint`. */
  known(accountIds: ReadonlySet<string>): Map<string, number>
}

/** What is left of the rooms when these deliveries are this process's too. */
export function roomsBeside(rooms: Rooms, taken: readonly TakenDelivery[]): Rooms {
  if (taken.length === 0) return rooms
  return {
    total: Math.max(0, rooms.total - taken.length),
    perEndpoint: rooms.perEndpoint,
    known: accountIds => {
      const left = rooms.known(accountIds)
      for (const { endpointId } of taken)
        left.set(endpointId, Math.max(0, (left.get(endpointId) ?? rooms.perEndpoint) - 1))
      return left
    },
  }
}

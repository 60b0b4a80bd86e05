import type { Receiver } from '../support/receiver.ts'

/** What arrived at a receiver. It stores only ids, so that hours of traffic fit into memory. */
export interface Arrivals {
  /** Moves the receiver's new requests in here. */
  take(): void
  /** The distinct ids of the events that arrived at a path. */
  at(path: string): ReadonlySet<string>
  /** All requests, whatever their answers. */
  requests: number
}

export function arrivalsOf(receiver: Receiver): Arrivals {
  const byPath = new Map<string, Set<string>>()
  const arrivals: Arrivals = {
    requests: 0,
    take: () => {
      for (const { path, eventId } of receiver.received.splice(0)) {
        const events = byPath.get(path) ?? new Set()
        byPath.set(path, events.add(eventId))
        arrivals.requests++
      }
    },
    at: path => byPath.get(path) ?? new Set(),
  }
  return arrivals
}

import type { Receiver } from '../support/receiver.ts'

/** What arrived at a receiver, kept in so little that hours of it fit into memory: ids, and no requests. */
export interface Arrivals {
  /** Moves what the receiver recorded since the last time in here. */
  take(): void
  /** Ids of the events that arrived at a path, each once. */
  at(path: string): ReadonlySet<string>
  /** Requests, whatever their answer. */
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

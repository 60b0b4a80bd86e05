import { expect } from 'vitest'
import { allEvents, type Customer } from '../support/api.ts'
import type { Receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

/** The ledger after a fault. */
export interface Reconciled {
  /** Stored events. */
  events: number
  /** Requests beyond the first one for the same event at the same path. */
  duplicates: number
}

/**
 * Waits until everything is finished. Then it expects that every accepted event was stored and arrived at each of `paths`,
 * that nothing else arrived, and that sequences have no gap.
 */
export async function reconcile(
  customer: Customer,
  receiver: Receiver,
  {
    accepted,
    paths = ['/hook'],
    timeoutMs = 120_000,
  }: { accepted: string[]; paths?: string[]; timeoutMs?: number },
): Promise<Reconciled> {
  const stored = new Set((await allEvents(customer.api)).map(event => event.id))
  expect(
    accepted.filter(id => !stored.has(id)),
    'accepted, and not stored',
  ).toEqual([])
  const arrivedAt = (path: string): Set<string> =>
    new Set(receiver.received.filter(one => one.path === path).map(one => one.eventId))
  for (const path of paths) {
    await until(
      `all of ${stored.size} events have arrived at ${path}`,
      () => arrivedAt(path).size >= stored.size,
      timeoutMs,
    )
    expect(
      [...arrivedAt(path)].filter(id => !stored.has(id)),
      'arrived, and not stored',
    ).toEqual([])
    const sequences = new Set(receiver.received.filter(one => one.path === path).map(one => one.sequence))
    expect([...sequences].sort((a, b) => a - b)).toEqual([...stored].map((_, index) => index + 1))
  }
  return { events: stored.size, duplicates: receiver.received.length - stored.size * paths.length }
}

import type { DatabasePlace } from '../../packages/server/test/support/test-database.ts'
import type { Ledger } from './receiver-process.ts'
import { openPlace } from '../../packages/server/test/support/open-place.ts'

export interface Expected {
  /** Events that the service said it had accepted. */
  accepted: number
  /** Deliveries that these make. */
  deliveries: number
  /** What the receiver counted in the end. */
  arrived: Ledger
  /** Deliveries that arrive more than once without a crash are a fault; after failures they are what is promised. */
  duplicatesAllowed?: boolean
}

/**
 * The ledger of a run, from the database of a service that has stopped: everything accepted was stored, every delivery
 * is delivered, queued or exhausted, and what counts as delivered did arrive.
 * @returns what does not agree, in words; empty when all does
 */
export async function balance(place: DatabasePlace, expected: Expected): Promise<string[]> {
  const stored = await read(place)
  const faults: string[] = []
  const must = (right: boolean, fault: string): void => void (right || faults.push(fault))
  const { deliveries, requests } = expected.arrived
  must(stored.events === expected.accepted, `${expected.accepted} events accepted, ${stored.events} stored`)
  must(
    stored.delivered + stored.queued + stored.exhausted === expected.deliveries,
    `${expected.deliveries} deliveries, ${stored.delivered} delivered + ${stored.queued} queued + ${stored.exhausted} exhausted`,
  )
  must(deliveries >= stored.delivered, `${stored.delivered} delivered, only ${deliveries} arrived`)
  must(
    expected.duplicatesAllowed === true || requests === deliveries,
    `${requests - deliveries} requests were duplicates`,
  )
  return faults
}

async function read(place: DatabasePlace) {
  await using db = await openPlace(place)
  const [row] = await db.query<{ events: number; delivered: number; queued: number; exhausted: number }>(
    `select (select count(*) from event)::int as events,
       count(*) filter (where d.state = 'delivered')::int as delivered,
       count(*) filter (where d.state = 'exhausted')::int as exhausted,
       (select count(*) from queue)::int as queued
     from delivery d`,
  )
  if (row === undefined) throw new Error('the database answered nothing')
  return row
}

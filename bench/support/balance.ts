import type { DatabasePlace } from '../../packages/server/test/support/test-database.ts'
import type { Ledger } from './receiver-process.ts'
import { openPlace } from '../../packages/server/test/support/open-place.ts'

export interface Expected {
  /** Events that the service accepted, according to its responses. */
  accepted: number
  /** The number of deliveries of these events. */
  deliveries: number
  /** The final counts of the receiver. */
  arrived: Ledger
  /** Duplicates are a fault in a run without failures, and expected after failures. */
  duplicatesAllowed?: boolean
}

/**
 * Checks the ledger of a run in the database of a stopped service. Every accepted event must be stored. Every delivery must
 * be delivered, queued or exhausted. Every delivered delivery must have arrived.
 * @returns what does not balance, in words
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
  if (row === undefined) throw new Error('the database returned no row')
  return row
}

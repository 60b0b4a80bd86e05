import { plainColumns } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import type { RetryPolicy } from '../domain/backoff.ts'
import type { Verdict } from '../domain/decide-attempt.ts'
import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import { dayOfAll } from '../domain/partition-day.ts'
import type { Exchange } from '../egress/egress.ts'
import type { AttemptSpan } from './attempt-span.ts'
import { retryIfEndpointChanged } from './retry-if-endpoint-changed.ts'
import { endpointChanges } from './settle-endpoints.ts'
import { lateStatement, lockLateStatement, settleStatements, settleValues } from './settle-statement.ts'

/** The result of one delivery that this process stops holding. */
export interface Settlement {
  delivery: LeasedDelivery
  verdict: Verdict
  /** Null if it was given up without an attempt. */
  attempt: Attempt | null
}

export interface Attempt {
  /** UUIDv7 of its start. */
  id: string
  /** The number under which its process counts attempts. */
  processNumber: number
  /** The request without its body, in the short form of `requestRecord`; null if nothing was sent. */
  request: string | null
  exchange: Exchange
  /** Signing keys whose signature the receiver says it verified. */
  verifiedKeyIds: readonly string[]
  /** When its endpoint wants to be tried again. */
  retry: RetryPolicy
  /** When the receiver's certificate expires, if that is not stored already. */
  newCertificateExpiresAtMs: number | null
  /** Earlier attempts at the endpoint failed, as far as this process knows. */
  endpointWasFailing: boolean
  /** Null if nobody records traces. */
  span: AttemptSpan | null
}

/** Results in one settle statement. */
export const settleMax = 1_000

/**
 * Writes the results of many deliveries, oldest first and at most one of each: the attempts, the deliveries' new states, and what is due
 * again. A failure changes a delivery only if this process still holds it under the same claim; a success always completes it,
 * because the receiver has the event. A 410 for an earlier version of the endpoint gets another verdict. Rows are locked in key
 * order.
 * @returns how many results were dropped because retention removed their delivery
 */
export async function settle(
  db: Queryable,
  settlements: readonly Settlement[],
): Promise<{ dropped: number }> {
  await retryIfEndpointChanged(db, settlements)
  const rows = [...settlements].sort((a, b) => (a.delivery.deliveryId < b.delivery.deliveryId ? -1 : 1))
  // the health of an endpoint depends on the order in which its attempts ended
  const changes = endpointChanges(settlements)
  const late = await settleHeld(db, rows, changes, dayOfAll(rows.map(({ delivery }) => delivery.deliveryId)))
  if (late.length === 0) return { dropped: 0 }
  return { dropped: late.length - (await settleLate(db, late)) }
}

/**
 * After a lost answer, returns the results that were not written. A result is written together with its attempt; one without an
 * attempt is returned in any case, because it changes nothing the second time.
 */
export async function unwritten(db: Queryable, settlements: readonly Settlement[]): Promise<Settlement[]> {
  const attempts = settlements.flatMap(({ delivery: { accountId, deliveryId }, attempt }) =>
    attempt === null ? [] : [{ accountId, deliveryId, id: attempt.id }],
  )
  const rows = await db.query<{ id: string }>(
    // one lookup in the primary key each, in the partition of the delivery's day
    `select r.id
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as r (account_id, delivery_id, id)
     cross join lateral (
       select from attempt a
       where a.account_id = r.account_id and a.delivery_id = r.delivery_id and a.id = r.id
       limit 1
     ) a`,
    plainColumns(attempts, 'accountId', 'deliveryId', 'id'),
  )
  const written = new Set(rows.map(row => row.id))
  return settlements.filter(({ attempt }) => attempt === null || !written.has(attempt.id))
}

/** Chooses the next batch: at most one result of each delivery, because a statement can change a row only once. */
export function nextSettlements(gathered: readonly Settlement[]): {
  batch: Settlement[]
  later: Settlement[]
} {
  const batch = new Map<string, Settlement>()
  const later: Settlement[] = []
  for (const settlement of gathered) {
    const { deliveryId } = settlement.delivery
    if (batch.size < settleMax && !batch.has(deliveryId)) batch.set(deliveryId, settlement)
    else later.push(settlement)
  }
  return { batch: [...batch.values()], later }
}

/** @returns the results that came too late and are not written yet */
async function settleHeld(
  db: Queryable,
  rows: readonly Settlement[],
  changes: string[] | null,
  day: string | null,
): Promise<Settlement[]> {
  const { usual, withEndpoints } = settleStatements(day)
  try {
    const late = await db.query<{ n: number }>(changes === null ? usual : withEndpoints, [
      ...settleValues(rows),
      ...(changes ?? []),
    ])
    return late.flatMap(({ n }) => rows[n - 1] ?? [])
  } catch (error) {
    // the partition of that day was dropped; the statement for all days finds that none of them is held
    if (day !== null && isUndefinedTable(error)) return await settleHeld(db, rows, changes, null)
    throw error
  }
}

/**
 * Locks the events first, like retries, replays, and erasures, so that the second statement sees what those did.
 * @returns how many were stored
 */
async function settleLate(db: Queryable, late: readonly Settlement[]): Promise<number> {
  const events = late.map(({ delivery }) => delivery).sort((a, b) => (a.eventId < b.eventId ? -1 : 1))
  return await db.transaction(async tx => {
    await tx.query(lockLateStatement, plainColumns(events, 'accountId', 'eventId'))
    const [row] = await tx.query<{ stored: number }>(lateStatement, settleValues(late))
    return row?.stored ?? 0
  })
}

function isUndefinedTable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42P01'
}

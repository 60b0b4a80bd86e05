import { plainArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import type { Verdict } from '../domain/decide-attempt.ts'
import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import { dayOfAll } from '../domain/partition-day.ts'
import type { Exchange } from '../egress/egress.ts'
import { endpointChanges } from './endpoint-changes.ts'
import { lateStatement, lockLateStatement, settleStatements } from './settle-statement.ts'
import { settleValues } from './settle-values.ts'

/** The result of one delivery that this process is done with, for now or for good. */
export interface Settlement {
  delivery: LeasedDelivery
  verdict: Verdict
  /** Null when it was given up without an attempt. */
  attempt: Attempt | null
}

export interface Attempt {
  /** UUIDv7 of the moment at which it started. */
  id: string
  /** The number under which its process counts it. */
  processNumber: number
  /** What was sent besides the body, in the short form of `requestRecord`; null when nothing was. */
  request: string | null
  exchange: Exchange
  /** Signing keys whose signature the receiver says it verified. */
  verifiedKeyIds: readonly string[]
  /** Until when the receiver's certificate is valid, if that is not what is stored already. */
  newCertificateExpiresAtMs: number | null
  /** Earlier attempts at the endpoint failed, as far as this process knows: a success ends that. */
  endpointWasFailing: boolean
}

/** Results in one settle statement. */
export const settleMax = 1_000

/**
 * Writes the results of many deliveries, at most one of each: the attempts, the deliveries' new states, and what is due
 * again. A failure changes a delivery only while this process still holds it as it was claimed; a success always completes it,
 * because the receiver has the event. Rows are locked in key order.
 * @returns how many results were dropped because retention has removed their delivery
 */
export async function settle(
  db: Queryable,
  settlements: readonly Settlement[],
): Promise<{ dropped: number }> {
  const rows = [...settlements].sort((a, b) => (a.delivery.deliveryId < b.delivery.deliveryId ? -1 : 1))
  const late = await settleHeld(db, rows, dayOfAll(rows.map(({ delivery }) => delivery.deliveryId)))
  if (late.length === 0) return { dropped: 0 }
  return { dropped: late.length - (await settleLate(db, late)) }
}

/**
 * Of results that were to be written when a statement failed or its answer was lost, those that were not. A result is written
 * with its attempt or not at all; one without an attempt changes nothing the second time, and is kept.
 */
export async function unwritten(db: Queryable, settlements: readonly Settlement[]): Promise<Settlement[]> {
  const attempts = settlements.flatMap(({ delivery, attempt }) =>
    attempt === null ? [] : [{ delivery, ...attempt }],
  )
  const rows = await db.query<{ id: string }>(
    // one descent of the primary key each, within the partition of the delivery's day
    `select r.id
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as r (account_id, delivery_id, id)
     cross join lateral (
       select from attempt a
       where a.account_id = r.account_id and a.delivery_id = r.delivery_id and a.id = r.id
       limit 1
     ) a`,
    [
      plainArray(attempts.map(({ delivery }) => delivery.accountId)),
      plainArray(attempts.map(({ delivery }) => delivery.deliveryId)),
      plainArray(attempts.map(({ id }) => id)),
    ],
  )
  const written = new Set(rows.map(row => row.id))
  return settlements.filter(({ attempt }) => attempt === null || !written.has(attempt.id))
}

/** The next batch: at most one result of each delivery, because a statement can change a row only once. */
export function nextSettlements(gathered: readonly Settlement[]): {
  batch: Settlement[]
  later: Settlement[]
} {
  const batch: Settlement[] = []
  const later: Settlement[] = []
  const seen = new Set<string>()
  for (const settlement of gathered) {
    const { deliveryId } = settlement.delivery
    if (batch.length < settleMax && !seen.has(deliveryId)) {
      seen.add(deliveryId)
      batch.push(settlement)
    } else {
      later.push(settlement)
    }
  }
  return { batch, later }
}

/** @returns the results that came too late, which are not written yet */
async function settleHeld(
  db: Queryable,
  rows: readonly Settlement[],
  day: string | null,
): Promise<Settlement[]> {
  const changes = endpointChanges(rows)
  const { usual, withEndpoints } = settleStatements(day)
  try {
    const late = await db.query<{ n: number }>(changes === null ? usual : withEndpoints, [
      ...settleValues(rows),
      ...(changes ?? []),
    ])
    return late.flatMap(({ n }) => rows[n - 1] ?? [])
  } catch (error) {
    // the partition of that day was dropped: none of them is held any more, and the statement for all days says so
    if (day !== null && isUndefinedTable(error)) return await settleHeld(db, rows, null)
    throw error
  }
}

/**
 * Retries, replays, and erasures lock the events first. With these locked, the second statement sees what they did.
 * @returns how many were stored
 */
async function settleLate(db: Queryable, late: readonly Settlement[]): Promise<number> {
  const events = late.map(({ delivery }) => delivery).sort((a, b) => (a.eventId < b.eventId ? -1 : 1))
  return await db.transaction(async tx => {
    await tx.query(lockLateStatement, [
      plainArray(events.map(({ accountId }) => accountId)),
      plainArray(events.map(({ eventId }) => eventId)),
    ])
    const [row] = await tx.query<{ stored: number }>(lateStatement, settleValues(late))
    return row?.stored ?? 0
  })
}

function isUndefinedTable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42P01'
}

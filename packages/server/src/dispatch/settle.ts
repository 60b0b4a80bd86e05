import { uuidArray } from '../db/binary-array.ts'
import type { Queryable } from '../db/database.ts'
import type { Verdict } from '../domain/decide-attempt.ts'
import { dayOfAll } from '../domain/partition-day.ts'
import type { Hold, TakenDelivery } from '../domain/taken-delivery.ts'
import type { Exchange } from '../egress/egress.ts'
import { acknowledgedStatements } from './acknowledged-statement.ts'
import { endpointChanges } from './endpoint-changes.ts'
import { lateResult, settleStatements } from './settle-statement.ts'
import { acknowledgedValues, settleValues } from './settle-values.ts'

/** One delivery that this process is done with, for now or for good. */
export interface Settlement {
  taken: TakenDelivery
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
  /** Until when the receiver's certificate is good, if that is not what is stored already. */
  newCertificateExpiresAtMs: number | null
  /** Earlier attempts at the endpoint failed, as far as this process knows: a success ends that. */
  endpointWasFailing: boolean
}

/** The first attempt at a delivery that is in a hold, and it succeeded: there is nothing to write but the attempt. */
export interface Acknowledged extends Settlement {
  taken: TakenDelivery & { hold: Hold }
  attempt: Attempt
}

export interface SettleOptions {
  /** Holds of which nothing is held any more, whose rows go. */
  emptied?: readonly string[]
  /** Deliveries' rows are to say all, for processes of a release that reads nothing else. */
  inFull?: boolean
}

/**
 * Writes what became of many deliveries: the attempts, the deliveries' new states, and what goes on waiting. A result
 * counts only while the delivery is still held as it was taken; a success counts always, because the receiver has the
 * event. An attempt is recorded in every case. Where a result is late the statement undoes itself, and another writes
 * them all. First attempts that were acknowledged and all other results have a statement each: when this throws, either
 * may have been written (`unwritten`).
 *
 * Rows that may be somebody else's are touched in key order. Should two processes still dead-lock over a delivery that both
 * think is theirs, one of them is told so, and tries again.
 */
export async function settle(
  db: Queryable,
  settlements: readonly Settlement[],
  { emptied = [], inFull = false }: SettleOptions = {},
): Promise<void> {
  const acknowledged = settlements.filter(isAcknowledged)
  // what happened at an endpoint is added up in one place
  const apart =
    !inFull && (acknowledged.length === settlements.length || endpointChanges(settlements) === null)
  const others = apart ? settlements.filter(row => !isAcknowledged(row)) : settlements
  if (apart && acknowledged.length > 0) await settleAcknowledged(db, acknowledged, emptied)
  if (others.length > 0) await settleAny(db, others, emptied)
}

function isAcknowledged(settlement: Settlement): settlement is Acknowledged {
  const { taken, attempt } = settlement
  return taken.hold !== null && attempt?.exchange.outcome === 'success'
}

async function settleAcknowledged(
  db: Queryable,
  rows: readonly Acknowledged[],
  emptied: readonly string[],
): Promise<void> {
  const changes = endpointChanges(rows)
  const { usual, withEndpoints } = acknowledgedStatements(dayOfAll(rows.map(({ taken }) => taken.deliveryId)))
  const values = [...acknowledgedValues(rows), uuidArray(emptied), ...(changes ?? [])]
  try {
    await db.query(changes === null ? usual : withEndpoints, values)
  } catch (error) {
    if (!isLate(error)) throw error
    await settleAny(db, rows, emptied)
  }
}

async function settleAny(
  db: Queryable,
  settlements: readonly Settlement[],
  emptied: readonly string[],
): Promise<void> {
  const rows = [...settlements].sort((a, b) => (a.taken.deliveryId < b.taken.deliveryId ? -1 : 1))
  const changes = endpointChanges(rows)
  const statements = settleStatements(dayOfAll(rows.map(({ taken }) => taken.deliveryId)))
  const { inTime, any } = changes === null ? statements.usual : statements.withEndpoints
  const values = [...settleValues(rows), uuidArray(emptied), ...(changes ?? [])]
  try {
    await db.query(inTime, values)
  } catch (error) {
    if (!isLate(error)) throw error
    await db.query(any, values)
  }
}

function isLate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === lateResult
}

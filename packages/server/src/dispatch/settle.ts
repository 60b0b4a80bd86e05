import { nullableArray, plainArray, textArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import type { Verdict } from '../domain/decide-attempt.ts'
import { dayOfAll } from '../domain/partition-day.ts'
import type { TakenDelivery } from '../domain/taken-delivery.ts'
import type { Exchange } from '../egress/egress.ts'
import { endpointChanges } from './endpoint-changes.ts'
import { lateResult, settleStatements } from './settle-statement.ts'

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

/**
 * Writes what became of many deliveries in one statement: the attempts, the deliveries' new states, and what goes on
 * waiting. A result counts only while the delivery is still held under the claim it was taken with; a success counts
 * always, because the receiver has the event. An attempt is recorded in every case. Where a result is late the statement
 * undoes itself, and another writes them all.
 *
 * Rows are touched in key order. Should two processes still dead-lock over a delivery that both think is theirs,
 * one of them is told so, and tries again.
 */
export async function settle(db: Queryable, settlements: readonly Settlement[]): Promise<void> {
  const rows = [...settlements].sort((a, b) => (a.taken.deliveryId < b.taken.deliveryId ? -1 : 1))
  const values = settleValues(rows)
  const changes = endpointChanges(settlements)
  const statements = settleStatements(dayOfAll(rows.map(({ taken }) => taken.deliveryId)))
  const { inTime, any } = changes === null ? statements.usual : statements.withEndpoints
  const all = changes === null ? values : [...values, ...changes]
  try {
    await db.query(inTime, all)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === lateResult)) throw error
    await db.query(any, all)
  }
}

/** One array for each column. Those of text may hold null; the others say `missing` instead, see the statement. */
function settleValues(rows: readonly Settlement[]): string[] {
  const exchanges = rows.map(({ attempt }) => attempt?.exchange)
  return [
    plainArray(rows.map(({ taken }) => taken.accountId)),
    plainArray(rows.map(({ taken }) => taken.deliveryId)),
    plainArray(rows.map(({ taken }) => taken.claim)),
    plainArray(rows.map(({ attempt }) => (attempt === null ? 0 : 1))),
    plainArray(rows.map(({ verdict }) => verdict.state)),
    plainArray(rows.map(({ verdict }) => verdict.retriesUsed)),
    plainArray(rows.map(({ verdict }) => verdict.dueInMs ?? missing)),
    plainArray(rows.map(({ verdict }) => verdict.nextTrigger)),
    plainArray(exchanges.map(exchange => (exchange?.outcome === 'success' ? 't' : 'f'))),
    plainArray(rows.map(({ taken, attempt }) => attempt?.id ?? taken.deliveryId)),
    plainArray(rows.map(({ taken }) => taken.attemptCount + 1)),
    plainArray(rows.map(({ taken }) => taken.trigger)),
    plainArray(exchanges.map(exchange => rounded(exchange?.durationMs))),
    plainArray(exchanges.map(exchange => rounded(exchange?.phases.dnsMs))),
    plainArray(exchanges.map(exchange => rounded(exchange?.phases.connectMs))),
    plainArray(exchanges.map(exchange => rounded(exchange?.phases.tlsMs))),
    plainArray(exchanges.map(exchange => rounded(exchange?.phases.firstByteMs))),
    plainArray(exchanges.map(exchange => exchange?.statusCode ?? missing)),
    plainArray(rows.map(({ attempt }) => attempt?.processNumber ?? missing)),
    nullableArray(rows.map(({ verdict }) => verdict.reason)),
    nullableArray(exchanges.map(exchange => exchange?.error?.code ?? null)),
    textArray(exchanges.map(exchange => exchange?.error?.message ?? null)),
    textArray(exchanges.map(exchange => headerLines(exchange?.responseHeaders ?? null))),
    textArray(exchanges.map(exchange => exchange?.responseBody ?? null)),
    textArray(exchanges.map(exchange => exchange?.verifiedParts ?? null)),
    textArray(rows.map(({ attempt }) => attempt?.request ?? null)),
  ]
}

/** In place of null: where no element is null, PostgreSQL finds each of them without going through those before it. */
const missing = -1

function rounded(ms: number | null | undefined): number {
  return ms === null || ms === undefined ? missing : Math.round(ms * 100) / 100
}

/** Stored as lines, `name: value`: shorter than JSON, and nothing to escape. */
function headerLines(headers: Record<string, string> | null): string | null {
  if (headers === null) return null
  let lines = ''
  for (const name in headers) lines += `${name}: ${headers[name]}\n`
  return lines
}

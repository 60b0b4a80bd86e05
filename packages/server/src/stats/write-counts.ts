import { plainArray } from '../db/array-literal.ts'
import { textArray } from '../db/binary-array.ts'
import type { Queryable } from '../db/database.ts'
import type { AttemptCount } from './attempt-counts.ts'
import type { OutcomeCount } from './outcome-counts.ts'
import { writeOutcomeCounts } from './write-outcome-counts.ts'

/** What a process has counted. */
export interface Counts {
  readonly attempts: readonly AttemptCount[]
  readonly outcomes: readonly OutcomeCount[]
}

/**
 * Adds the counts of a process and records that it is alive, in one transaction.
 * @param write the number of this write, from 1, so that a write whose answer was lost is not repeated
 * @returns the time of the previous write by the database's clock; null if the process was declared dead, so that nothing
 * was written and its attempts and outcomes are recounted
 */
export async function writeCounts(
  db: Queryable,
  process: number,
  write: number,
  { attempts, outcomes }: Counts,
): Promise<Date | null> {
  return await db.transaction(async tx => {
    const [row] = await tx.query<{ writes: number; counted_until: Date }>(
      // the lock makes a recount wait; after a recount, the row does not exist
      'select writes, counted_until from stat_process where number = $1 for update',
      [process],
    )
    if (row === undefined) return null
    if (row.writes >= write) return row.counted_until
    await tx.query(
      `update stat_process set writes = $2, heard_at = now(), counted_until = now() where number = $1`,
      [process, write],
    )
    if (attempts.length > 0) await writeAttemptCounts(tx, process, attempts)
    if (outcomes.length > 0) await writeOutcomeCounts(tx, process, outcomes)
    return row.counted_until
  })
}

async function writeAttemptCounts(
  tx: Queryable,
  process: number,
  counts: readonly AttemptCount[],
): Promise<void> {
  await tx.query(
    `insert into attempt_stat (account_id, endpoint_id, at, width_seconds, process, result, count, last_at,
       latency_buckets, latency_counts)
     select account_id, endpoint_id, to_timestamp(minute_ms / 1000), 60, $1, result, count, to_timestamp(last_ms / 1000),
       buckets::smallint[], counts::bigint[]
     from unnest($2::uuid[], $3::uuid[], $4::float8[], $5::text[], $6::bigint[], $7::float8[], $8::text[], $9::text[])
       as c (account_id, endpoint_id, minute_ms, result, count, last_ms, buckets, counts)`,
    [
      process,
      plainArray(counts.map(one => one.accountId)),
      plainArray(counts.map(one => one.endpointId)),
      plainArray(counts.map(one => one.minuteMs)),
      plainArray(counts.map(one => one.result)),
      plainArray(counts.map(one => one.count)),
      plainArray(counts.map(one => one.lastMs)),
      // as text, because PostgreSQL arrays cannot contain arrays of different lengths
      textArray(counts.map(one => plainArray([...one.latency.keys()]))),
      textArray(counts.map(one => plainArray([...one.latency.values()]))),
    ],
  )
}

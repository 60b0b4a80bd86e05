import { plainArray } from '../db/array-literal.ts'
import { textArray } from '../db/binary-array.ts'
import type { Queryable } from '../db/database.ts'
import type { AttemptCount } from './attempt-counts.ts'

/**
 * Adds a process's counts and notes that it lives, in one transaction.
 * @param write counts from 1: one whose answer was lost is recognised and not made again
 * @returns until when its attempts were counted before, by the database's clock; null when the process was declared dead
 * meanwhile: its attempts are recounted, and nothing was written
 */
export async function writeCounts(
  db: Queryable,
  process: number,
  write: number,
  counts: readonly AttemptCount[],
): Promise<Date | null> {
  return await db.transaction(async tx => {
    const [row] = await tx.query<{ writes: number; counted_until: Date }>(
      // the lock makes a recount wait, or finds the row gone after one
      'select writes, counted_until from stat_process where number = $1 for update',
      [process],
    )
    if (row === undefined) return null
    if (row.writes >= write) return row.counted_until
    await tx.query(
      `update stat_process set writes = $2, heard_at = now(), counted_until = now() where number = $1`,
      [process, write],
    )
    if (counts.length > 0) await insertCounts(tx, process, counts)
    return row.counted_until
  })
}

async function insertCounts(tx: Queryable, process: number, counts: readonly AttemptCount[]): Promise<void> {
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
      // arrays of different lengths cannot stand in one array: each travels as text
      textArray(counts.map(one => plainArray([...one.latency.keys()]))),
      textArray(counts.map(one => plainArray([...one.latency.values()]))),
    ],
  )
}

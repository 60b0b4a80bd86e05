import { plainArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import { latencyBoundsMs } from '../domain/latency-histogram.ts'
import { firstUuidV7At } from '../domain/uuid-v7.ts'
import { delivered, givenUp } from './attempt-counts.ts'
import { lockStatistics } from './lock-statistics.ts'
import { recountOutcomes } from './recount-outcomes.ts'

/** A process writes every few seconds, so a process that is silent this long is dead or stopped. */
export const silentMsMax = 60_000

/** An attempt is settled and counted well within this time after its start, and an event is stored within it. */
const marginMs = 600_000
const minuteMs = 60_000

/**
 * Recounts the attempts and the outcomes that dead processes stored but did not write to the statistics. Every attempt and
 * every event has the number of its process, so the last minutes of a dead process are counted again from them.
 * @param nowMs from the maintenance gate; null at a start with the embedded database, when all other processes are dead
 */
export async function recountLost(
  db: Queryable,
  { nowMs, except = null }: { nowMs: number | null; except?: number | null },
): Promise<{ recounted: number }> {
  let recounted = 0
  while (await recountOne(db, nowMs, except)) recounted++
  return { recounted }
}

async function recountOne(db: Queryable, nowMs: number | null, except: number | null): Promise<boolean> {
  return await db.transaction(async tx => {
    await lockStatistics(tx)
    const [lost] = await tx.query<{ number: number; counted_until: Date }>(
      `delete from stat_process where number = (
         select number from stat_process
         where ($1::timestamptz is null or heard_at <= $1::timestamptz - ${silentMsMax} * interval '1 millisecond')
           and number is distinct from $2::int
         limit 1
         for update skip locked
       )
       returning number, counted_until`,
      [nowMs === null ? null : new Date(nowMs), except],
    )
    if (lost === undefined) return false
    const fromMs = Math.floor((lost.counted_until.getTime() - marginMs) / minuteMs) * minuteMs
    await tx.query('delete from attempt_stat where process = $1 and at >= $2', [
      lost.number,
      new Date(fromMs),
    ])
    await tx.query(recountStatement, [
      lost.number,
      firstUuidV7At(fromMs),
      plainArray(latencyBoundsMs),
      delivered,
      givenUp,
    ])
    await recountOutcomes(tx, lost.number, fromMs)
    return true
  })
}

/** Finds the last minutes by the index attempt_time, and the endpoint in the delivery by primary key. */
const recountStatement = `
with lost as (
  select a.account_id, d.endpoint_id, coalesce(a.error_code, $4) as result, a.gave_up,
    ('x' || lpad(replace(left(a.id::text, 13), '-', ''), 16, '0'))::bit(64)::bigint as start_ms,
    a.duration_ms::float8 as duration_ms
  from attempt a join delivery d on d.account_id = a.account_id and d.id = a.delivery_id
  where a.id >= $2 and a.process = $1
),
counted as (
  select account_id, endpoint_id, start_ms / 60000 * 60 as minute, result,
    width_bucket(duration_ms, $3::float8[]) as bucket, count(*) as count, max(floor(start_ms + duration_ms)) as last_ms
  from lost group by account_id, endpoint_id, minute, result, bucket
  union all
  select account_id, endpoint_id, start_ms / 60000 * 60 as minute, $5, null, count(*), max(start_ms)
  from lost where gave_up group by account_id, endpoint_id, minute
)
insert into attempt_stat (account_id, endpoint_id, at, width_seconds, process, result, count, last_at, latency_buckets,
  latency_counts)
select account_id, endpoint_id, to_timestamp(minute), 60, $1, result, sum(count), to_timestamp(max(last_ms) / 1000.0),
  coalesce(array_agg(bucket::smallint) filter (where bucket is not null), '{}'),
  coalesce(array_agg(count) filter (where bucket is not null), '{}')
from counted group by account_id, endpoint_id, minute, result`

import type { Queryable } from '../db/database.ts'
import { lockStatistics } from './lock-statistics.ts'
import { silentMsMax } from './recount-lost.ts'

interface Stage {
  /** Rows of processes, or merged rows of this width in seconds. */
  from: 'written' | number
  toSeconds: number
  olderThanSeconds: number
}

const hour = 3_600
const day = 24 * hour

/**
 * Rows of one minute are kept for a day, and rows of 15 minutes for eight days, because the dashboard shows a week in
 * points of two hours. Older rows have six hours.
 */
const stages: readonly Stage[] = [
  { from: 'written', toSeconds: 60, olderThanSeconds: hour },
  { from: 60, toSeconds: 900, olderThanSeconds: day },
  { from: 900, toSeconds: 21_600, olderThanSeconds: 8 * day },
]

const batchMax = 20_000

/**
 * Merges old rows, one batch per transaction. An interval that is merged in several batches has several rows, which
 * readers add up.
 * @param nowMs from the maintenance gate
 */
export async function mergeStatistics(db: Queryable, nowMs: number): Promise<{ merged: number }> {
  let merged = 0
  for (const stage of stages) {
    for (;;) {
      const rows = await mergeBatch(db, stage, nowMs)
      merged += rows
      if (rows < batchMax) break
    }
  }
  return { merged }
}

async function mergeBatch(
  db: Queryable,
  { from, toSeconds, olderThanSeconds }: Stage,
  nowMs: number,
): Promise<number> {
  return await db.transaction(async tx => {
    await lockStatistics(tx)
    const chosen =
      from === 'written'
        ? // a recount may still replace the rows of a silent process
          `process is not null and $1::int = 0 and not exists (
             select from stat_process p
             where p.number = s.process and p.heard_at <= $5::timestamptz - ${silentMsMax} * interval '1 millisecond')`
        : 'process is null and width_seconds = $1'
    const [row] = await tx.query<{ merged: number }>(
      `with old as (
         delete from attempt_stat where (account_id, at, id) in (
           select account_id, at, id from attempt_stat s
           where ${chosen} and at < $5::timestamptz - $3::int * interval '1 second'
           order by at limit $4
         )
         returning *
       ), buckets as (
         -- given up deliveries have no latency, so their bucket is null
         select account_id, endpoint_id, date_bin($2::int * interval '1 second', at, 'epoch') as slot, result,
           l.bucket, sum(coalesce(l.count, old.count)) as count, max(last_at) as last_at
         from old left join lateral unnest(latency_buckets, latency_counts) as l (bucket, count) on true
         group by account_id, endpoint_id, slot, result, l.bucket
       ), added as (
         insert into attempt_stat (account_id, endpoint_id, at, width_seconds, result, count, last_at, latency_buckets,
           latency_counts)
         select account_id, endpoint_id, slot, $2::int, result, sum(count), max(last_at),
           coalesce(array_agg(bucket) filter (where bucket is not null), '{}'),
           coalesce(array_agg(count::bigint) filter (where bucket is not null), '{}')
         from buckets group by account_id, endpoint_id, slot, result
       )
       select count(*) as merged from old`,
      [from === 'written' ? 0 : from, toSeconds, olderThanSeconds, batchMax, new Date(nowMs)],
    )
    return row?.merged ?? 0
  })
}

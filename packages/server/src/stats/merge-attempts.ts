import type { MergeStatement } from './merge-statistics.ts'

/** Merges rows of `attempt_stat`. */
export const mergeAttempts: MergeStatement = chosen => `
with old as (
  delete from attempt_stat where (account_id, at, id) in (${chosen('attempt_stat')})
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
select count(*) as merged from old`

import type { Queryable } from '../db/database.ts'
import { latencyPercentile } from '../domain/latency-histogram.ts'
import { answered } from '../stats/attempt-counts.ts'
import { lastDayFromMs } from './read-traffic.ts'
import type { HealthRow } from './row.ts'

/** How long an endpoint took to answer in the last 24 hours; null if it answered no attempt. */
export interface Latency {
  p50Ms: number | null
  p95Ms: number | null
}

/** Reads the latency of several endpoints in one statement. Returns a function that gives the latency of one. */
export async function readLatency(
  db: Queryable,
  accountId: string,
  endpoints: ReadonlyArray<Pick<HealthRow, 'id' | 'now'>>,
): Promise<(endpointId: string) => Latency> {
  const rows = await db.query<{ endpoint_id: string; bucket: number; count: number }>(
    // reads a day of each endpoint by attempt_stat_endpoint
    `select s.endpoint_id, l.bucket, sum(l.count)::float8 as count
     from attempt_stat s cross join lateral unnest(s.latency_buckets, s.latency_counts) as l (bucket, count)
     where s.account_id = $1 and s.endpoint_id = any($2::uuid[]) and s.at >= $3 and s.result = any($4::text[])
     group by 1, 2`,
    [
      accountId,
      endpoints.map(({ id }) => id),
      new Date(lastDayFromMs(endpoints[0]?.now.getTime() ?? 0)),
      answered,
    ],
  )
  const byEndpoint = Map.groupBy(rows, row => row.endpoint_id)
  return endpointId => {
    const histogram = new Map((byEndpoint.get(endpointId) ?? []).map(({ bucket, count }) => [bucket, count]))
    return { p50Ms: latencyPercentile(histogram, 0.5), p95Ms: latencyPercentile(histogram, 0.95) }
  }
}

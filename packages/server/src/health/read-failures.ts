import type { Queryable } from '../db/database.ts'
import { degradedMinutes, isDegraded } from '../domain/degraded.ts'
import type { TrafficFacts } from '../domain/endpoint-health.ts'
import { delivered, givenUp } from '../stats/attempt-counts.ts'
import { completeUntilMs, type Traffic } from './read-traffic.ts'
import type { HealthRow } from './row.ts'

/** What the failures of an endpoint say about its state. */
export type Failures = Pick<TrafficFacts, 'isDegraded' | 'failedShareBefore'>

const minuteMs = 60_000

/**
 * Reads the failures of the endpoints that have any, minute by minute. Returns a function that gives those of one. Endpoints
 * without failures cost no statement.
 */
export async function readFailures(
  db: Queryable,
  accountId: string,
  endpoints: readonly HealthRow[],
  traffic: (endpointId: string) => Traffic,
): Promise<(endpointId: string) => Failures> {
  const nowMs = endpoints[0]?.now.getTime() ?? 0
  const untilMs = completeUntilMs(nowMs)
  const fromMs = untilMs - degradedMinutes * minuteMs
  const failed = endpoints.filter(({ id }) =>
    traffic(id).hours.some(hour => hour.failed > 0 && hour.atMs + 60 * minuteMs > fromMs),
  )
  const minutes = await readMinutes(db, accountId, failed, fromMs, untilMs)
  const before = await readSharesBefore(db, accountId, endpoints)
  return endpointId => ({
    isDegraded: isDegradedBy(minutes.get(endpointId) ?? []),
    failedShareBefore: before.get(endpointId) ?? 0,
  })
}

interface MinuteRow {
  endpoint_id: string
  minute: number
  delivered: number
  failed: number
}

function isDegradedBy(rows: readonly MinuteRow[]): boolean {
  const counts = { delivered: zeros(), failed: zeros() }
  for (const row of rows) {
    counts.delivered[row.minute] = row.delivered
    counts.failed[row.minute] = row.failed
  }
  return isDegraded(counts)
}

function zeros(): number[] {
  return Array.from({ length: degradedMinutes }, () => 0)
}

async function readMinutes(
  db: Queryable,
  accountId: string,
  endpoints: readonly HealthRow[],
  fromMs: number,
  untilMs: number,
): Promise<Map<string, MinuteRow[]>> {
  if (endpoints.length === 0) return new Map()
  const rows = await db.query<MinuteRow>(
    // reads seven hours of each endpoint by attempt_stat_endpoint
    `select endpoint_id, floor(extract(epoch from at - $3::timestamptz) / 60)::int as minute,
       coalesce(sum(count) filter (where result = $5), 0)::float8 as delivered,
       coalesce(sum(count) filter (where result <> $5), 0)::float8 as failed
     from attempt_stat
     where account_id = $1 and endpoint_id = any($2::uuid[]) and at >= $3 and at < $4 and result <> $6
     group by 1, 2`,
    [accountId, endpoints.map(({ id }) => id), new Date(fromMs), new Date(untilMs), delivered, givenUp],
  )
  return Map.groupBy(rows, row => row.endpoint_id)
}

/** The failed share of the attempts in the six hours before the failures in a row started. */
async function readSharesBefore(
  db: Queryable,
  accountId: string,
  endpoints: readonly HealthRow[],
): Promise<Map<string, number>> {
  const inRow = endpoints.flatMap(({ id, failing_since: since }) => (since === null ? [] : [{ id, since }]))
  if (inRow.length === 0) return new Map()
  const rows = await db.query<{ endpoint_id: string; share: number }>(
    // the failures in a row may have started in the minute before the first of them ended
    `select f.endpoint_id, sum(case when s.result = $4 then 0 else s.count end)::float8 / sum(s.count) as share
     from unnest($2::uuid[], $3::timestamptz[]) as f (endpoint_id, since)
     join attempt_stat s on s.account_id = $1 and s.endpoint_id = f.endpoint_id
       and s.at >= f.since - interval '6 hours' and s.at < date_trunc('minute', f.since) - interval '1 minute'
     where s.result <> $5
     group by 1`,
    [accountId, inRow.map(({ id }) => id), inRow.map(({ since }) => since), delivered, givenUp],
  )
  return new Map(rows.map(row => [row.endpoint_id, row.share]))
}

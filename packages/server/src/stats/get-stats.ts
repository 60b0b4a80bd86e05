import { type Stats, type StatsCounts, type StatsQuery, statsSteps } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { type LatencyHistogram, latencyPercentile } from '../domain/latency-histogram.ts'
import { parseTypeId } from '../domain/type-id.ts'
import { AppError } from '../errors.ts'
import { getWebhook } from '../webhooks/get-webhook.ts'
import { answered, delivered } from './attempt-counts.ts'
import { readOutcomeStats } from './read-outcome-stats.ts'

const pointsMax = 750
const dayMs = 86_400_000

/** The statistics of an account's attempts and outcomes from `since` to `until`, oldest point first. */
export async function getStats(ctx: Ctx, accountId: string, query: StatsQuery): Promise<Stats> {
  const bucket = query.bucket ?? '1h'
  const stepMs = statsSteps[bucket] * 1_000
  const untilMs = query.until === undefined ? ctx.clock.nowMs() : Date.parse(query.until)
  const sinceMs = query.since === undefined ? untilMs - dayMs : Date.parse(query.since)
  const firstMs = Math.floor(sinceMs / stepMs) * stepMs
  const points = Math.max(0, Math.ceil((untilMs - firstMs) / stepMs))
  if (points > pointsMax) throw tooManyPoints(points)
  const webhookId = query.webhook_id === undefined ? null : parseTypeId('wh', query.webhook_id)
  if (webhookId !== null) await getWebhook(ctx, accountId, webhookId)

  const rows = await readRows(ctx, [accountId, webhookId, new Date(firstMs), new Date(untilMs), stepMs])
  const bySlot = Map.groupBy(rows, row => row.slot.getTime())
  const interval = { firstMs, untilMs, stepMs }
  const outcomes = webhookId === null ? await readOutcomeStats(ctx.db, accountId, interval) : null
  return {
    since: new Date(firstMs).toISOString(),
    until: new Date(untilMs).toISOString(),
    bucket,
    recorded_since: await recordedSince(ctx, accountId, webhookId),
    total: toCounts(rows),
    outcomes: outcomes?.stats ?? null,
    thresholds: ctx.settings.thresholds,
    data: Array.from({ length: points }, (_, index) => {
      const atMs = firstMs + index * stepMs
      return {
        at: new Date(atMs).toISOString(),
        ...toCounts(bySlot.get(atMs) ?? []),
        outcomes: outcomes?.at(atMs) ?? null,
      }
    }),
  }
}

interface StatRow {
  slot: Date
  result: string
  /** Null if the row counts deliveries, not attempts. */
  bucket: number | null
  count: number
}

async function readRows(ctx: Ctx, values: unknown[]): Promise<StatRow[]> {
  return await ctx.db.query<StatRow>(
    // reads the time range of the account by primary key, or of the endpoint by attempt_stat_endpoint, without notices
    `select date_bin($5::float8 * interval '1 millisecond', s.at, 'epoch') as slot, s.result, l.bucket,
       sum(coalesce(l.count, s.count))::float8 as count
     from attempt_stat s left join lateral unnest(s.latency_buckets, s.latency_counts) as l (bucket, count) on true
     where s.account_id = $1 and ($2::uuid is null or s.endpoint_id = $2) and s.at >= $3 and s.at < $4
       and s.endpoint_id not in (select e.id from endpoint e where e.account_id = $1 and e.kind = 'notices')
     group by slot, s.result, l.bucket`,
    values,
  )
}

/** The time of the first row, by primary key for the account or by attempt_stat_endpoint for the endpoint. */
async function recordedSince(ctx: Ctx, accountId: string, webhookId: string | null): Promise<string | null> {
  const [first] = await ctx.db.query<{ at: Date }>(
    `select at from attempt_stat s
     where s.account_id = $1 and ($2::uuid is null or s.endpoint_id = $2)
       and s.endpoint_id not in (select e.id from endpoint e where e.account_id = $1 and e.kind = 'notices')
     order by at limit 1`,
    [accountId, webhookId],
  )
  return first?.at.toISOString() ?? null
}

function toCounts(rows: readonly StatRow[]): StatsCounts {
  const byError: Record<string, number> = {}
  const latency: LatencyHistogram = new Map()
  let acknowledged = 0
  let failed = 0
  let exhausted = 0
  for (const { result, bucket, count } of rows) {
    if (bucket === null) {
      exhausted += count
      continue
    }
    if (answered.includes(result)) latency.set(bucket, (latency.get(bucket) ?? 0) + count)
    if (result === delivered) {
      acknowledged += count
    } else {
      failed += count
      byError[result] = (byError[result] ?? 0) + count
    }
  }
  return {
    delivered: acknowledged,
    failed,
    exhausted,
    by_error: byError,
    p50_ms: latencyPercentile(latency, 0.5),
    p95_ms: latencyPercentile(latency, 0.95),
    p99_ms: latencyPercentile(latency, 0.99),
  }
}

function tooManyPoints(points: number): AppError {
  const message = `would give ${points} points, but the maximum is ${pointsMax}: choose a longer bucket or a shorter time range`
  return new AppError('validation_failed', `bucket: ${message}.`, [{ path: '/bucket', message }])
}

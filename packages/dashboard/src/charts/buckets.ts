import type { Stats } from '@posthorn/contract'
import { statsSteps } from '@posthorn/contract/plain'

/** A bar of the chart with the results of the attempts that started within it. */
export interface Bucket {
  readonly fromMs: number
  readonly untilMs: number
  readonly delivered: number
  /** Failed, with a retry to come. */
  readonly failed: number
  /** Failed for the last time. */
  readonly exhausted: number
  readonly byError: Readonly<Record<string, number>>
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly p99Ms: number | null
  /** False before the first record, which is not the same as zero. */
  readonly isRecorded: boolean
  /** Its time is not over yet. */
  readonly isSoFar: boolean
}

/** Results of attempts: each failed attempt either has a retry to come or was the last one. */
export interface Results {
  readonly delivered: number
  readonly failed: number
  readonly exhausted: number
}

/** The points of the statistics as bars, aligned to UTC like them. */
export function toBuckets(stats: Stats): Bucket[] {
  const stepMs = statsSteps[stats.bucket] * 1_000
  const nowMs = Date.parse(stats.until)
  const recordedMs =
    stats.recorded_since === null ? Number.POSITIVE_INFINITY : Date.parse(stats.recorded_since)
  return stats.data.map(point => {
    const fromMs = Date.parse(point.at)
    return {
      fromMs,
      untilMs: fromMs + stepMs,
      ...resultsOf(point),
      byError: point.by_error,
      p50Ms: point.p50_ms,
      p95Ms: point.p95_ms,
      p99Ms: point.p99_ms,
      isRecorded: fromMs + stepMs > recordedMs,
      isSoFar: fromMs + stepMs > nowMs,
    }
  })
}

/** Separates final failures from failures with a retry to come. */
export function resultsOf(counts: Results): Results {
  const { delivered, failed, exhausted } = counts
  return { delivered, failed: Math.max(0, failed - exhausted), exhausted }
}

export function notDelivered({ failed, exhausted }: Results): number {
  return failed + exhausted
}

/** The delivered share of all attempts; null without attempts. Pending deliveries do not count. */
export function deliveredShare(results: Results): number | null {
  const settled = results.delivered + notDelivered(results)
  return settled === 0 ? null : results.delivered / settled
}

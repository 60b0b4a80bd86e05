import type { Stats } from '@posthorn/contract'
import { statsSteps } from '@posthorn/contract/plain'

/** One bar of time and what the attempts came to that started within it. */
export interface Bucket {
  readonly fromMs: number
  readonly untilMs: number
  readonly delivered: number
  /** Failed, and to be tried again. */
  readonly failed: number
  /** Failed for the last time. */
  readonly exhausted: number
  readonly byError: Readonly<Record<string, number>>
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly p99Ms: number | null
  /** False before anything was counted: that is no zero. */
  readonly isRecorded: boolean
  /** It is not over yet. */
  readonly isSoFar: boolean
}

/** What attempts came to: every failed one is either tried again or was the last one. */
export interface Results {
  readonly delivered: number
  readonly failed: number
  readonly exhausted: number
}

/** The points of statistics as bars, aligned to UTC as they are. */
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

/** Tells those that failed for the last time from those that are tried again. */
export function resultsOf(counts: Results): Results {
  const { delivered, failed, exhausted } = counts
  return { delivered, failed: Math.max(0, failed - exhausted), exhausted }
}

export function notDelivered({ failed, exhausted }: Results): number {
  return failed + exhausted
}

/** The share of all attempts that were acknowledged; null when there were none. What is pending is no part of it. */
export function deliveredShare(results: Results): number | null {
  const settled = results.delivered + notDelivered(results)
  return settled === 0 ? null : results.delivered / settled
}

import type { OutcomeCounts, Stats } from '@posthorn/contract'
import { statsSteps } from '@posthorn/contract/plain'

/** A bar of the chart with the results of the attempts that started within it, and the outcomes of emails. */
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
  readonly outcomes: OutcomeCounts
  /** Its time is not over yet. */
  readonly isSoFar: boolean
}

/** Results of attempts: each failed attempt either has a retry to come or was the last one. */
export interface Results {
  readonly delivered: number
  readonly failed: number
  readonly exhausted: number
}

/** The points of the statistics as bars, aligned to UTC like them. The first bar has the first record. */
export function toBuckets(stats: Stats): Bucket[] {
  const stepMs = statsSteps[stats.bucket] * 1_000
  const nowMs = Date.parse(stats.until)
  const recordedMs = recordedSinceMs(stats) ?? 0
  const recorded = stats.data.filter(point => Date.parse(point.at) + stepMs > recordedMs)
  return recorded.map(point => {
    const fromMs = Date.parse(point.at)
    return {
      fromMs,
      untilMs: fromMs + stepMs,
      ...resultsOf(point),
      byError: point.by_error,
      p50Ms: point.p50_ms,
      p95Ms: point.p95_ms,
      p99Ms: point.p99_ms,
      outcomes: point.outcomes ?? noOutcomes,
      isSoFar: fromMs + stepMs > nowMs,
    }
  })
}

/** When the first attempt or outcome was counted; null: there is none yet. */
export function recordedSinceMs({ recorded_since: attempts, outcomes }: Stats): number | null {
  const known = [attempts, outcomes?.recorded_since ?? null].filter(at => at !== null)
  return known.length === 0 ? null : Math.min(...known.map(at => Date.parse(at)))
}

const noOutcomes: OutcomeCounts = { delivered: 0, bounced: 0, failed: 0, unsubscribed: 0, complaints: 0 }

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

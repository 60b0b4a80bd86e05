import type { StatsStep } from '@posthorn/contract/plain'
import { statsSteps } from '@posthorn/contract/plain'

export type OverviewRange = '1h' | '24h' | '7d' | '30d'

/** The time ranges and the lengths of their bars: at most 120 bars. */
export const overviewRanges: Readonly<
  Record<OverviewRange, { bucket: StatsStep; bars: number; label: string; span: string; before: string }>
> = {
  '1h': { bucket: '1m', bars: 60, label: '1 h', span: 'the last hour', before: 'the hour before' },
  '24h': {
    bucket: '15m',
    bars: 96,
    label: '24 h',
    span: 'the last 24 hours',
    before: 'the 24 hours before',
  },
  '7d': { bucket: '2h', bars: 84, label: '7 d', span: 'the last 7 days', before: 'the 7 days before' },
  '30d': { bucket: '6h', bars: 120, label: '30 d', span: 'the last 30 days', before: 'the 30 days before' },
}

export const longestRange: OverviewRange = '30d'

const ranges = Object.keys(overviewRanges) as OverviewRange[]

/** The range that the reader chose, as it appears in the URL. */
export function overviewSearch({ range }: Record<string, unknown>): { range?: OverviewRange } {
  return isRange(range) ? { range } : {}
}

/**
 * The shortest range that contains everything, or the longest one.
 * @param recordedMs when recording started; null: nothing is recorded yet
 */
export function fittingRange(recordedMs: number | null, nowMs: number): OverviewRange {
  const firstMs = recordedMs ?? nowMs
  return ranges.find(range => Date.parse(rangeQuery(range, nowMs).since) <= firstMs) ?? longestRange
}

/** The request parameters that make the current time fall in the last bar. */
export function rangeQuery(range: OverviewRange, nowMs: number): { since: string; bucket: StatsStep } {
  const { bucket } = overviewRanges[range]
  const stepMs = statsSteps[bucket] * 1_000
  const lastMs = Math.floor(nowMs / stepMs) * stepMs
  return { since: isoOf(lastMs + stepMs - lengthMs(range)), bucket }
}

/** The parameters for the same time one range earlier. */
export function earlierQuery(
  range: OverviewRange,
  nowMs: number,
): { since: string; until: string; bucket: StatsStep } {
  const { since, bucket } = rangeQuery(range, nowMs)
  return { since: isoOf(Date.parse(since) - lengthMs(range)), until: isoOf(nowMs - lengthMs(range)), bucket }
}

/** Whether all of the time one range earlier is recorded. */
export function hasEarlier(range: OverviewRange, recordedMs: number, nowMs: number): boolean {
  return recordedMs <= Date.parse(earlierQuery(range, nowMs).since)
}

/** The longest range that can be compared with the time before; null if none can. */
export function longestComparable(recordedMs: number, nowMs: number): OverviewRange | null {
  return ranges.findLast(range => hasEarlier(range, recordedMs, nowMs)) ?? null
}

function lengthMs(range: OverviewRange): number {
  const { bucket, bars } = overviewRanges[range]
  return statsSteps[bucket] * 1_000 * bars
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

function isRange(range: unknown): range is OverviewRange {
  return typeof range === 'string' && Object.hasOwn(overviewRanges, range)
}

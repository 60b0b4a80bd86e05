import { attemptErrorTexts } from '@posthorn/contract/plain'
import { type Bucket, deliveredShare, notDelivered, type Results } from '../charts/buckets.ts'
import { countOf, formatCount, formatDuration, formatShare } from '../format/numbers.ts'
import { formatStretch } from '../format/times.ts'
import type { Reader } from './health-words.ts'

/** A sentence about the results chart. `span` is text such as `the last 24 hours`. */
export function resultsSummary(total: Results, span: string): string {
  const share = deliveredShare(total)
  if (share === null) return `Nothing was sent in ${span}.`
  return `Of ${countOf(total.delivered + notDelivered(total), 'attempt', 'attempts')} in ${span}, ${formatCount(total.delivered)} were delivered (${formatShare(share)}), ${formatCount(total.failed)} failed and ${formatCount(total.exhausted)} failed for the last time.`
}

export interface Latencies {
  readonly p50_ms: number | null
  readonly p95_ms: number | null
  readonly p99_ms: number | null
}

/** A sentence about the chart of answer times. */
export function latencySummary({ p50_ms: p50, p95_ms: p95, p99_ms: p99 }: Latencies, span: string): string {
  if (p50 === null) return `No answers in ${span}.`
  return `In ${span} half of all answers took at most ${formatDuration(p50)}, 95 of 100 at most ${formatDuration(p95)} and 99 of 100 at most ${formatDuration(p99)}.`
}

/** A sentence about the reasons chart. */
export function reasonSummary(reasons: readonly Reason[], span: string): string {
  const [first, ...others] = reasons
  if (first === undefined) return `Nothing failed in ${span}.`
  const failed = reasons.reduce((sum, { count }) => sum + count, 0)
  const most = others.length === 0 ? 'all of them' : `${formatCount(first.count)} of them`
  return `${countOf(failed, 'attempt', 'attempts')} failed in ${span}, ${most}: ${first.label}.`
}

export interface Reason {
  readonly code: string
  readonly label: string
  readonly count: number
}

/** Why attempts failed, most frequent first. */
export function reasonsOf(byError: Readonly<Record<string, number>>): Reason[] {
  return Object.entries(byError)
    .map(([code, count]) => ({ code, count, label: labelOf(code) }))
    .toSorted((a, b) => b.count - a.count)
}

/** Adjacent bars in words: their time and the results of their attempts. At least one. */
export function resultWords(bars: readonly Bucket[], reader: Reader): string {
  const when = stretchWords(bars, reader)
  const sum = (of: (bar: Bucket) => number): string =>
    formatCount(bars.reduce((all, bar) => all + of(bar), 0))
  const results = `${sum(bar => bar.delivered)} delivered, ${sum(bar => bar.failed)} failed, ${sum(bar => bar.exhausted)} exhausted`
  return `${when}: ${results}${bars.at(-1)?.isSoFar === true ? ', so far' : ''}`
}

/** The answer times of one bar in words; of several bars only the time, because percentiles do not add up. */
export function latencyWords(bars: readonly Bucket[], reader: Reader): string {
  const when = stretchWords(bars, reader)
  const [bar, ...others] = bars
  if (bar === undefined || others.length > 0) return when
  const { p50Ms, p95Ms, p99Ms } = bar
  if (p50Ms === null) return `${when}: no answers`
  return `${when}: p50 ${formatDuration(p50Ms)}, p95 ${formatDuration(p95Ms)}, p99 ${formatDuration(p99Ms)}`
}

/** The time of adjacent bars: `02:30 to 03:00`. */
export function stretchWords(bars: readonly Bucket[], { zone, nowMs }: Reader): string {
  const first = bars[0]
  const last = bars.at(-1)
  return first === undefined || last === undefined
    ? ''
    : formatStretch(isoOf(first.fromMs), isoOf(last.untilMs), zone, nowMs)
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

function labelOf(code: string): string {
  return isKnown(code) ? attemptErrorTexts[code].label : code
}

function isKnown(code: string): code is keyof typeof attemptErrorTexts {
  return Object.hasOwn(attemptErrorTexts, code)
}

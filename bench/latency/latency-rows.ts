import { atMost, type BenchRow } from '../support/bench.ts'
import { median } from '../support/median.ts'
import { percentile } from '../support/percentile.ts'

/** In milliseconds. */
export interface Times {
  median: number
  p99: number
}

export interface LatencyRound {
  /** From the scheduled time to the arrival at the receiver. */
  arrival: Times
  /** How late the load generator sent the outcome. It is part of the arrival time. */
  late: Times
  commit: Times
  post: Times
}

export function times(values: ArrayLike<number>): Times {
  return { median: percentile(values, 0.5), p99: percentile(values, 0.99) }
}

/** Median and p99 at one share of the capacity. The goals apply at half of the capacity. */
export function latencyRows(
  share: number,
  requestsPerSecond: number,
  measured: readonly LatencyRound[],
): BenchRow[] {
  const row = (which: keyof Times, bound: (parts: number) => number, text: string): BenchRow => {
    const of = (part: keyof LatencyRound): number => median(measured.map(round => round[part][which]))
    const boundMs = Number(bound(of('commit') + of('post')).toFixed(1))
    return {
      what: `PostgreSQL at ${share * 100} % (${requestsPerSecond}/s), ${which}`,
      measured: `${ms(of('arrival'))} (sent ${ms(of('late'))} late)`,
      beside: `commit ${ms(of('commit'))}, POST ${ms(of('post'))}: ${text} ${ms(boundMs)}`,
      goal: share === 0.5 ? atMost(boundMs, of('arrival'), ' ms') : null,
    }
  }
  return [
    row('median', parts => parts + 2, 'both + 2 ms is'),
    row('p99', parts => 3 * parts + 10, '3 × both + 10 ms is'),
  ]
}

export function embeddedRow(requestsPerSecond: number, measured: readonly Times[]): BenchRow {
  const of = (which: keyof Times): string => ms(median(measured.map(round => round[which])))
  return {
    what: `embedded at 50 % (${requestsPerSecond}/s)`,
    measured: `median ${of('median')}, p99 ${of('p99')}`,
    goal: null,
  }
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`
}

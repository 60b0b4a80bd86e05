import type { Settlement } from './dispatch/settle.ts'
import type { Metrics } from './metrics.ts'
import type { Statistics } from './stats/statistics.ts'
import type { Throughput } from './system/throughput.ts'

export interface Counters {
  metrics: Metrics
  throughput: Throughput
  statistics: Statistics
}

/** Counts the attempts and the finished deliveries that the dispatcher has stored. */
export function countSettlements(
  { metrics, throughput, statistics }: Counters,
  settlements: readonly Settlement[],
  dropped: number,
  nowMs: number,
): void {
  metrics.settled(settlements, dropped, nowMs)
  const made = settlements.filter(({ attempt }) => attempt !== null)
  const delivered = made.filter(({ attempt }) => attempt?.exchange.outcome === 'success').length
  throughput.count('delivered', delivered)
  throughput.count('failed', made.length - delivered)
  for (const settlement of settlements) countForStatistics(statistics, settlement, nowMs)
}

function countForStatistics(
  statistics: Statistics,
  { delivery, verdict, attempt }: Settlement,
  nowMs: number,
): void {
  const { accountId, endpointId } = delivery
  const gaveUp = verdict.state === 'exhausted'
  if (attempt !== null) {
    const { id, processNumber, exchange } = attempt
    const errorCode = exchange.error?.code ?? null
    statistics.count(
      { accountId, endpointId, id, errorCode, durationMs: exchange.durationMs, gaveUp },
      processNumber,
    )
  } else if (gaveUp) {
    statistics.countGivenUp({ accountId, endpointId, atMs: nowMs })
  }
}

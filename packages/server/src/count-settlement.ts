import type { Settlement } from './dispatch/settle.ts'
import type { Statistics } from './stats/statistics.ts'

/** Counts what the dispatcher has written down: the attempt, if one was made, and whether it was the last. */
export function countSettlement(
  statistics: Statistics,
  { taken, verdict, attempt }: Settlement,
  nowMs: number,
): void {
  const { accountId, endpointId } = taken
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

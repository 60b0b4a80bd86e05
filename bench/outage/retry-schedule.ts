import { retriesMax, type RetryPolicy, retryDelayMs } from '../../packages/server/src/domain/backoff.ts'

/**
 * When deliveries are retried after an outage if only the retry schedule matters. Each attempt starts when it is due and
 * fails at once during the outage. Deliveries arrive evenly during the outage. Exhausted deliveries are not included.
 * @returns seconds, in ascending order
 */
export function backAfterSeconds(
  policy: RetryPolicy,
  awaySeconds: number,
  deliveries: number,
  fraction: () => number,
): Float64Array {
  const waits: number[] = []
  for (let n = 0; n < deliveries; n++) {
    let atSeconds = (awaySeconds * n) / deliveries
    for (let retry = 1; atSeconds < awaySeconds && retry <= retriesMax; retry++) {
      atSeconds += retryDelayMs(policy, retry, fraction()) / 1_000
    }
    if (atSeconds >= awaySeconds) waits.push(atSeconds - awaySeconds)
  }
  return Float64Array.from(waits).sort()
}

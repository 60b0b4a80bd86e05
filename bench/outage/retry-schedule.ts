import { retriesMax, type RetryPolicy, retryDelayMs } from '../../packages/server/src/domain/backoff.ts'

/**
 * How long after the end of an outage a delivery is attempted again if nothing but the retry schedule holds it up: each
 * attempt is made at the moment at which it is due, and fails at once while the receiver is away. Deliveries come in
 * evenly throughout the outage; those whose retries are used up before it ends are left out.
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

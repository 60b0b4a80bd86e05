/** Automatic retries after the first attempt (interface §6, rule 3). */
export const retriesMax = 12

export interface RetryPolicy {
  /** Upper bound of the first delay; each further one doubles it. */
  baseSeconds: number
  /** No delay is drawn from beyond this. */
  capSeconds: number
}

/**
 * Milliseconds until retry `retry` (1 to 12): uniform in [0, min(cap, base · 2^(retry − 1))], which is exponential
 * backoff with full jitter, or `floorMs` where the receiver asked for longer.
 * @param fraction uniform in [0, 1)
 * @example
 * retryDelayMs({ baseSeconds: 120, capSeconds: 86_400 }, 2, 0.5) // 120_000
 */
export function retryDelayMs(policy: RetryPolicy, retry: number, fraction: number, floorMs = 0): number {
  const ceilingSeconds = Math.min(policy.capSeconds, policy.baseSeconds * 2 ** (retry - 1))
  return Math.max(floorMs, Math.floor(fraction * (ceilingSeconds * 1_000 + 1)))
}

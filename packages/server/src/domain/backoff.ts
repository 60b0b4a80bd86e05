/** Automatic retries after the first attempt. */
export const retriesMax = 12

export interface RetryPolicy {
  /** The upper bound of the first delay. It doubles with each retry. */
  baseSeconds: number
  /** The upper bound of every delay. */
  capSeconds: number
}

/** The longest delay between two attempts, in seconds. */
export function retrySecondsMax({ baseSeconds, capSeconds }: RetryPolicy): number {
  return Math.min(capSeconds, baseSeconds * 2 ** (retriesMax - 1))
}

/**
 * Milliseconds until retry `retry` (1 to 12), with exponential backoff and full jitter: uniform in
 * [0, min(cap, base · 2^(retry − 1))]. At least `floorMs`, which the receiver asked for.
 * @param fraction uniform in [0, 1)
 * @example
 * retryDelayMs({ baseSeconds: 120, capSeconds: 86_400 }, 2, 0.5) // 120_000
 */
export function retryDelayMs(policy: RetryPolicy, retry: number, fraction: number, floorMs = 0): number {
  const ceilingSeconds = Math.min(policy.capSeconds, policy.baseSeconds * 2 ** (retry - 1))
  return Math.max(floorMs, Math.floor(fraction * (ceilingSeconds * 1_000 + 1)))
}

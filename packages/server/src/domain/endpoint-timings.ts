import { type RetryPolicy, retrySecondsMax } from './backoff.ts'

/** What an endpoint sets instead of the operator's values; null: the operator's. */
export interface EndpointTimings {
  readonly retry_base_seconds: number | null
  readonly retry_cap_seconds: number | null
  readonly attempt_timeout_seconds: number | null
}

/** The operator's values, and the bounds of what an endpoint may set. */
export interface OperatorTimings {
  readonly retry: RetryPolicy
  /** An endpoint cannot make it shorter, so that it cannot have its retries in a burst. */
  readonly retryBaseMinSeconds: number
  readonly attemptTimeoutMs: number
  readonly attemptTimeoutMaxMs: number
}

/** The wrong field and why, or null. */
export function timingsProblem(
  timings: Partial<EndpointTimings>,
  operator: OperatorTimings,
): { field: keyof EndpointTimings; message: string } | null {
  for (const [field, { min, max }] of Object.entries(boundsOf(operator))) {
    const name = field as keyof EndpointTimings
    const seconds = timings[name] ?? null
    if (seconds === null || (seconds >= min && seconds <= max)) continue
    return { field: name, message: `must be from ${min} to ${max} seconds, or null for the default` }
  }
  return null
}

/** The timings of an endpoint's attempts. The operator may have tightened the bounds since it was changed. */
export function timingsInForce(
  own: EndpointTimings,
  operator: OperatorTimings,
): { retry: RetryPolicy; attemptTimeoutMs: number } {
  const bounds = boundsOf(operator)
  const base = own.retry_base_seconds
  const cap = own.retry_cap_seconds
  const timeout = own.attempt_timeout_seconds
  return {
    retry:
      base === null && cap === null
        ? operator.retry
        : {
            baseSeconds: base === null ? operator.retry.baseSeconds : within(bounds.retry_base_seconds, base),
            // the longest delay of the operator's own policy, which says how far ahead a due time may be
            capSeconds: within(bounds.retry_cap_seconds, cap ?? operator.retry.capSeconds),
          },
    attemptTimeoutMs:
      timeout === null ? operator.attemptTimeoutMs : within(bounds.attempt_timeout_seconds, timeout) * 1_000,
  }
}

interface Bounds {
  readonly min: number
  readonly max: number
}

const attemptTimeoutMinSeconds = 1

function boundsOf(operator: OperatorTimings): Record<keyof EndpointTimings, Bounds> {
  const delayMax = retrySecondsMax(operator.retry)
  const delay = { min: Math.min(operator.retryBaseMinSeconds, delayMax), max: delayMax }
  const timeoutMax = operator.attemptTimeoutMaxMs / 1_000
  return {
    retry_base_seconds: delay,
    retry_cap_seconds: delay,
    attempt_timeout_seconds: { min: Math.min(attemptTimeoutMinSeconds, timeoutMax), max: timeoutMax },
  }
}

function within({ min, max }: Bounds, seconds: number): number {
  return Math.min(max, Math.max(min, seconds))
}

import { type RetryPolicy, retrySecondsMax } from './backoff.ts'
import { handoverRetryMsMax } from './decide-handover.ts'
import { retryAfterMsMax } from './retry-after.ts'

/** The longest possible delay in milliseconds: of a retry, a `Retry-After`, or an email's next try. */
export function waitMsMax(retry: RetryPolicy): number {
  return Math.max(retrySecondsMax(retry) * 1_000, retryAfterMsMax, handoverRetryMsMax)
}

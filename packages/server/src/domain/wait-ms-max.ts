import { retriesMax, type RetryPolicy } from './backoff.ts'
import { handoverRetryMsMax } from './decide-handover.ts'
import { retryAfterMsMax } from './retry-after.ts'

/** The longest possible delay in milliseconds: of a retry, a `Retry-After`, or an email's next try. */
export function waitMsMax({ baseSeconds, capSeconds }: RetryPolicy): number {
  const retrySeconds = Math.min(capSeconds, baseSeconds * 2 ** (retriesMax - 1))
  return Math.max(retrySeconds * 1_000, retryAfterMsMax, handoverRetryMsMax)
}

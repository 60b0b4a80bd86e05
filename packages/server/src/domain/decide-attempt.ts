import { retriesMax, retryDelayMs, type RetryPolicy } from './backoff.ts'
import { nextDeliveryState } from './delivery-state.ts'
import type { DeliveryState, DeliveryTrigger, ExhaustedReason } from './delivery-state.ts'
import { retryAfterFloorMs } from './retry-after.ts'
import type { AttemptTrigger, LeasedDelivery } from './leased-delivery.ts'

/** What one attempt came to, as far as the delivery's future depends on it. */
export interface AttemptResult {
  outcome: 'success' | 'failure'
  statusCode: number | null
  errorCode: string | null
  retryAfter: string | null
}

/** What becomes of the delivery: finished when `dueInMs` is null. */
export interface Verdict {
  state: DeliveryState
  reason: ExhaustedReason | null
  retriesUsed: number
  dueInMs: number | null
  /** What the next attempt will have been started by. */
  nextTrigger: AttemptTrigger
  /** The receiver answered 410: the endpoint is to be disabled. */
  endpointGone: boolean
}

type Past = Pick<LeasedDelivery, 'retriesUsed' | 'trigger' | 'wasDelivered' | 'attemptCount'>

const gone = 410

/**
 * Decides what follows from an attempt (decisions §5 and §6): acknowledged, retried after full jitter and whatever
 * `Retry-After` asks for, or given up. Only a scheduled attempt after the first uses up a retry: not a manual one,
 * and not one that a shutdown ended, which is due again at once.
 */
export function decideAttempt(
  past: Past,
  result: AttemptResult,
  policy: RetryPolicy,
  fraction: number,
  nowMs: number,
): Verdict {
  if (result.errorCode === 'aborted_by_shutdown') {
    return { ...waiting(past.retriesUsed, 0), nextTrigger: past.trigger }
  }
  const retriesUsed = past.retriesUsed + (past.trigger === 'schedule' && past.attemptCount > 0 ? 1 : 0)
  const now = { retriesUsed, wasDelivered: past.wasDelivered }
  if (result.outcome === 'success') return finished(now, 'attempt_succeeded')
  if (result.statusCode === gone) return { ...finished(now, 'endpoint_gone'), endpointGone: true }
  if (past.wasDelivered) return finished(now, 'attempt_failed')
  if (retriesUsed >= retriesMax) return finished(now, 'retries_used')
  const floorMs = retryAfterFloorMs(result.statusCode, result.retryAfter, nowMs)
  return waiting(retriesUsed, retryDelayMs(policy, retriesUsed + 1, fraction, floorMs))
}

/** A delivery whose processes died too often is given up without another attempt. */
export function giveUpLost(past: Past): Verdict {
  return finished(past, 'process_lost')
}

function waiting(retriesUsed: number, dueInMs: number): Verdict {
  return { state: 'failed', reason: null, retriesUsed, dueInMs, nextTrigger: 'schedule', endpointGone: false }
}

function finished(
  { retriesUsed, wasDelivered }: Pick<Past, 'retriesUsed' | 'wasDelivered'>,
  trigger: DeliveryTrigger,
): Verdict {
  const next = nextDeliveryState('pending', trigger, { wasDelivered })
  if (next === undefined) throw new Error(`no way leads from pending by ${trigger}`)
  return {
    ...next,
    retriesUsed,
    dueInMs: null,
    nextTrigger: 'schedule',
    endpointGone: false,
  }
}

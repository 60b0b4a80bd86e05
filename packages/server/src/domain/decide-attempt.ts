import { retriesMax, retryDelayMs, type RetryPolicy } from './backoff.ts'
import { nextDeliveryState } from './delivery-state.ts'
import type { DeliveryState, DeliveryTrigger, ExhaustedReason } from './delivery-state.ts'
import { retryAfterFloorMs } from './retry-after.ts'
import type { AttemptTrigger, LeasedDelivery } from './leased-delivery.ts'

/** The parts of an attempt's result that decide what happens to the delivery. */
export interface AttemptResult {
  outcome: 'success' | 'failure'
  statusCode: number | null
  errorCode: string | null
  retryAfter: string | null
}

/** What happens to the delivery next. It is finished if `dueInMs` is null. */
export interface Verdict {
  state: DeliveryState
  reason: ExhaustedReason | null
  retriesUsed: number
  dueInMs: number | null
  /** The trigger of the next attempt. */
  nextTrigger: AttemptTrigger
  /** The receiver answered 410, so the endpoint must be disabled. */
  endpointGone: boolean
}

type Past = Pick<LeasedDelivery, 'retriesUsed' | 'trigger' | 'wasDelivered' | 'attemptCount'>

const gone = 410

/**
 * Decides what follows from an attempt: the delivery is acknowledged, retried or given up. The delay
 * has full jitter and respects `Retry-After`. Only scheduled attempts after the first one use up a retry. An attempt that a
 * shutdown ended uses none and is due again at once.
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

/** Gives up a delivery without another attempt because too many processes died while they held it. */
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
  if (next === undefined) throw new Error(`there is no transition from pending by ${trigger}`)
  return {
    ...next,
    retriesUsed,
    dueInMs: null,
    nextTrigger: 'schedule',
    endpointGone: false,
  }
}

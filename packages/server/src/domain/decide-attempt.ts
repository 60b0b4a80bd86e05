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
  /**
   * Not null if the receiver answered 410, so the endpoint must be disabled. This verdict counts instead if the endpoint has
   * changed since the claim, because its new URL may work.
   */
  ifEndpointChanged: Verdict | null
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
  const floorMs = retryAfterFloorMs(result.statusCode, result.retryAfter, nowMs)
  const ordinary = afterFailure(now, () => retryDelayMs(policy, retriesUsed + 1, fraction, floorMs))
  if (result.statusCode !== gone) return ordinary
  return { ...finished(now, 'endpoint_gone'), ifEndpointChanged: ordinary }
}

function afterFailure(past: Pick<Past, 'retriesUsed' | 'wasDelivered'>, delayMs: () => number): Verdict {
  if (past.wasDelivered) return finished(past, 'attempt_failed')
  if (past.retriesUsed >= retriesMax) return finished(past, 'retries_used')
  return waiting(past.retriesUsed, delayMs())
}

/** Gives up a delivery without another attempt because too many processes died while they held it. */
export function giveUpLost(past: Past): Verdict {
  return finished(past, 'process_lost')
}

function waiting(retriesUsed: number, dueInMs: number): Verdict {
  return {
    state: 'failed',
    reason: null,
    retriesUsed,
    dueInMs,
    nextTrigger: 'schedule',
    ifEndpointChanged: null,
  }
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
    ifEndpointChanged: null,
  }
}

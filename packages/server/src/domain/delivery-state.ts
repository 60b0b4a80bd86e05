/** What became of one event for one endpoint so far. */
export type DeliveryState = 'pending' | 'failed' | 'delivered' | 'exhausted'

/** Why a delivery was given up. */
export type ExhaustedReason =
  | 'retries_used'
  | 'endpoint_gone'
  | 'endpoint_deleted'
  | 'erased'
  | 'expired'
  | 'process_lost'

/** What can happen to a delivery. Each way of giving up bears the name of its reason. */
export type DeliveryTrigger =
  | 'attempt_succeeded'
  | 'attempt_failed'
  | 'manual_retry'
  | 'replay'
  | ExhaustedReason

export interface DeliveryTransition {
  readonly from: DeliveryState
  readonly trigger: DeliveryTrigger
  readonly to: DeliveryState
  readonly reason: ExhaustedReason | null
  /** Null: always. Otherwise only for a delivery that was, or never was, acknowledged before. */
  readonly wasDelivered: boolean | null
  /** What the transition means, for the documents. */
  readonly meaning: string
}

/**
 * The whole life of a delivery, one line for each way from one state to another; `docs/delivery-states.md` is printed
 * from it. Nothing is said of `pending` that does not hold for `failed` as well: they differ in what the customer
 * sees, never in what may happen next.
 */
export const deliveryTransitions: readonly DeliveryTransition[] = [
  ...(['pending', 'failed'] as const).flatMap((from): DeliveryTransition[] => [
    line(from, 'attempt_succeeded', 'delivered', 'the receiver acknowledged'),
    line(from, 'attempt_failed', 'failed', 'a retry is due', false),
    line(
      from,
      'attempt_failed',
      'delivered',
      'it was acknowledged before; the attempt shows the failure',
      true,
    ),
    ...giveUp(from, 'retries_used', 'the attempt failed and no retry is left'),
    ...giveUp(from, 'endpoint_gone', 'the receiver answered 410'),
    ...giveUp(from, 'endpoint_deleted', 'the endpoint was deleted while it waited'),
    ...giveUp(from, 'erased', 'the recipient was erased while it waited'),
    ...giveUp(from, 'expired', 'its day is dropped by retention while it waited'),
    ...giveUp(from, 'process_lost', 'the processes that took it died, too often to go on'),
  ]),
  {
    from: 'exhausted',
    trigger: 'erased',
    to: 'exhausted',
    reason: 'erased',
    wasDelivered: false,
    meaning: 'the recipient was erased after it was given up',
  },
  line('exhausted', 'attempt_succeeded', 'delivered', 'an attempt under way succeeded after it was given up'),
  ...(['failed', 'delivered', 'exhausted'] as const).flatMap((from): DeliveryTransition[] => [
    line(from, 'manual_retry', 'pending', 'the customer asked for one attempt now'),
    line(from, 'replay', 'pending', 'a replay sends it again'),
  ]),
]

/**
 * Where `trigger` leads from `from`, or undefined where it leads nowhere and nothing may change.
 * @example
 * nextDeliveryState('pending', 'attempt_failed', { wasDelivered: false }) // { state: 'failed', reason: null }
 */
export function nextDeliveryState(
  from: DeliveryState,
  trigger: DeliveryTrigger,
  past: { wasDelivered: boolean },
): { state: DeliveryState; reason: ExhaustedReason | null } | undefined {
  const found = deliveryTransitions.find(
    transition =>
      transition.from === from &&
      transition.trigger === trigger &&
      (transition.wasDelivered === null || transition.wasDelivered === past.wasDelivered),
  )
  return found === undefined ? undefined : { state: found.to, reason: found.reason }
}

/** A delivery that was acknowledged once stays acknowledged, whatever ends its second journey. */
function giveUp(from: DeliveryState, reason: ExhaustedReason, meaning: string): DeliveryTransition[] {
  return [
    { from, trigger: reason, to: 'exhausted', reason, wasDelivered: false, meaning },
    {
      from,
      trigger: reason,
      to: 'delivered',
      reason: null,
      wasDelivered: true,
      meaning: `${meaning}; acknowledged before`,
    },
  ]
}

function line(
  from: DeliveryState,
  trigger: DeliveryTrigger,
  to: DeliveryState,
  meaning: string,
  wasDelivered: boolean | null = null,
): DeliveryTransition {
  return { from, trigger, to, reason: null, wasDelivered, meaning }
}

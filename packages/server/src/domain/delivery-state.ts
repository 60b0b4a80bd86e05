/** The state of one event for one endpoint. */
export type DeliveryState = 'pending' | 'failed' | 'delivered' | 'exhausted'

/** Why a delivery was given up. */
export type ExhaustedReason =
  | 'retries_used'
  | 'endpoint_gone'
  | 'endpoint_deleted'
  | 'erased'
  | 'expired'
  | 'process_lost'

/** What can happen to a delivery. A trigger that gives it up has the name of its reason. */
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
  /** Whether the delivery must have been acknowledged before; null if it does not matter. */
  readonly wasDelivered: boolean | null
  /** The meaning, as printed in the documentation. */
  readonly meaning: string
}

/**
 * All state transitions of a delivery. `docs/delivery-states.md` is generated from this table. `pending` and `failed` have the
 * same transitions: they differ only in what the customer sees.
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
    ...giveUp(from, 'expired', 'retention dropped its day while it waited'),
    ...giveUp(from, 'process_lost', 'too many processes died while they held it'),
  ]),
  {
    from: 'exhausted',
    trigger: 'erased',
    to: 'exhausted',
    reason: 'erased',
    wasDelivered: false,
    meaning: 'the recipient was erased after it was given up',
  },
  line('exhausted', 'attempt_succeeded', 'delivered', 'an attempt in flight succeeded after it was given up'),
  ...(['failed', 'delivered', 'exhausted'] as const).flatMap((from): DeliveryTransition[] => [
    line(from, 'manual_retry', 'pending', 'the customer asked for one attempt now'),
    line(from, 'replay', 'pending', 'a replay sends it again'),
  ]),
]

/**
 * The next state after `trigger`, or undefined if there is no such transition.
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

/** A delivery that was acknowledged before stays `delivered` when a retry or replay is given up. */
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

import { type DeliveryState, type ExhaustedReason, nextDeliveryState } from '../domain/delivery-state.ts'

/**
 * The start of a statement that gives up deliveries: it deletes their queue rows and sets the state for the reason. The
 * statement can then select the rows from `given_up`.
 * @param chosen a select of whole unclaimed queue rows that locks them without waiting
 */
export function giveUp(chosen: string, reason: ExhaustedReason): string {
  const never = after(reason, { wasDelivered: false })
  const once = after(reason, { wasDelivered: true })
  return `with given_up as materialized (
    ${chosen}
  ),
  removed as (
    delete from queue q using given_up g where q.account_id = g.account_id and q.delivery_id = g.delivery_id
  ),
  moved as (
    update delivery d
    set state = case when g.was_delivered then '${once.state}' else '${never.state}' end::delivery_state,
        reason = case when g.was_delivered then ${text(once.reason)} else ${text(never.reason)} end,
        claim = g.claim
    from given_up g where d.account_id = g.account_id and d.id = g.delivery_id
  )`
}

function after(
  reason: ExhaustedReason,
  past: { wasDelivered: boolean },
): { state: DeliveryState; reason: ExhaustedReason | null } {
  const next = nextDeliveryState('pending', reason, past)
  if (next === undefined) throw new Error('a queued delivery can always be given up')
  return next
}

function text(reason: ExhaustedReason | null): string {
  return reason === null ? 'null' : `'${reason}'`
}

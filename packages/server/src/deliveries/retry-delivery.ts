import type { Delivery, DeliveryState, ExhaustedReason } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { nextDeliveryState } from '../domain/delivery-state.ts'
import { AppError } from '../errors.ts'
import { deliveryNotFound } from './delivery-not-found.ts'
import { readDelivery } from './get-delivery.ts'

/**
 * Sends a delivery once more, now. If that attempt fails, the automatic retries that were left go on; one that was
 * acknowledged before returns to `delivered`. Locks the event, the queue row, and the delivery, in the order that
 * everybody keeps.
 */
export async function retryDelivery(ctx: Ctx, accountId: string, deliveryId: string): Promise<Delivery> {
  const delivery = await ctx.db.transaction(async tx => {
    await lockEvent(tx, accountId, deliveryId)
    const isHeld = await lockQueueRow(tx, accountId, deliveryId)
    refuseWhatMakesNoSense(await lockDelivery(tx, accountId, deliveryId), isHeld)
    await makeDueNow(tx, accountId, deliveryId)
    return await readDelivery(tx, accountId, deliveryId)
  })
  ctx.outside.wakeDispatchers()
  return delivery
}

/** Against an erasure of the event: one of the two waits, and then sees what the other did. */
async function lockEvent(tx: Queryable, accountId: string, deliveryId: string): Promise<void> {
  await tx.query(
    `select from delivery d join event v on v.account_id = d.account_id and v.id = d.event_id
     where d.account_id = $1 and d.id = $2
     for key share of v`,
    [accountId, deliveryId],
  )
}

/** Whether a process holds it. No claim can take it any more. */
async function lockQueueRow(tx: Queryable, accountId: string, deliveryId: string): Promise<boolean> {
  const [row] = await tx.query<{ is_held: boolean }>(
    `select process is not null as is_held from queue where account_id = $1 and delivery_id = $2 for update`,
    [accountId, deliveryId],
  )
  return row?.is_held ?? false
}

interface DeliveryFacts {
  state: DeliveryState
  reason: ExhaustedReason | null
  endpoint_deleted: boolean
  endpoint_status: 'enabled' | 'disabled'
  event_gone: boolean
  erased: boolean
}

/** Of two retries of one delivery that is not queued, the second waits here, and finds it pending. */
async function lockDelivery(tx: Queryable, accountId: string, deliveryId: string): Promise<DeliveryFacts> {
  const [row] = await tx.query<DeliveryFacts>(
    `select d.state::text as state, d.reason, e.deleted_at is not null as endpoint_deleted,
       e.status as endpoint_status, v.id is null as event_gone, v.erased_at is not null as erased
     from delivery d
     join endpoint e on e.account_id = d.account_id and e.id = d.endpoint_id
     left join event v on v.account_id = d.account_id and v.id = d.event_id
     where d.account_id = $1 and d.id = $2 and e.kind = 'events'
     for update of d`,
    [accountId, deliveryId],
  )
  if (row === undefined) throw deliveryNotFound()
  return row
}

function refuseWhatMakesNoSense(found: DeliveryFacts, isHeld: boolean): void {
  if (found.endpoint_deleted) {
    throw new AppError(
      'endpoint_deleted',
      'The endpoint of this delivery was deleted; nothing is sent to it any more.',
    )
  }
  if (found.erased || found.reason === 'erased') {
    throw new AppError('delivery_erased', 'The recipient of this event was erased; it is never sent again.')
  }
  if (found.event_gone || found.reason === 'expired') {
    throw new AppError(
      'event_expired',
      'The event is older than events are kept; there is nothing left to send.',
    )
  }
  if (isHeld) {
    throw new AppError('delivery_pending', 'An attempt is under way. Look again when it has ended.')
  }
  if (nextDeliveryState(found.state, 'manual_retry', { wasDelivered: false }) === undefined) {
    throw new AppError('delivery_pending', 'An attempt is due already. Look again when it has ended.')
  }
  if (found.endpoint_status === 'disabled') {
    throw new AppError(
      'endpoint_disabled',
      'The endpoint is disabled. Enable it first: what waits is then sent.',
    )
  }
}

/** The claim rises, so that a result which is still to come cannot settle this attempt. */
async function makeDueNow(tx: Queryable, accountId: string, deliveryId: string): Promise<void> {
  await tx.query(
    `with retried as (
       update delivery set state = 'pending', reason = null where account_id = $1 and id = $2
       returning *
     )
     insert into queue as q (account_id, delivery_id, endpoint_id, event_id, due_at, sequence, claim, attempt_count,
                             retries_used, trigger, was_delivered)
     select account_id, id, endpoint_id, event_id, now(), sequence, claim + 1, attempt_count, retries_used, 'manual',
            delivered_at is not null
     from retried
     on conflict (account_id, delivery_id) do update
     set due_at = now(), claim = q.claim + 1, lost_claims = 0, trigger = 'manual'`,
    [accountId, deliveryId],
  )
}

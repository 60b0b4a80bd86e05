import type { Delivery, DeliveryState, ExhaustedReason } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { nextDeliveryState } from '../domain/delivery-state.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'
import { AppError, accountMoving } from '../errors.ts'
import { deliveryNotFound } from './delivery-not-found.ts'
import { readDelivery } from './get-delivery.ts'

/**
 * Makes a delivery due now. If the attempt fails, the remaining automatic retries follow, but a delivery that was
 * acknowledged before returns to `delivered`. Locks event, queue row, delivery and endpoint in this order, as all code does.
 */
export async function retryDelivery(ctx: Ctx, accountId: string, deliveryId: string): Promise<Delivery> {
  const delivery = await ctx.db.transaction(async tx => {
    await lockEvent(tx, accountId, deliveryId)
    const isHeld = await lockQueueRow(tx, accountId, deliveryId)
    const found = await lockDelivery(tx, accountId, deliveryId)
    refuseUnlessRetryable(found, isHeld)
    await makeDueNow(tx, accountId, deliveryId)
    if (found.reason === 'endpoint_gone' && !found.is_test)
      await uncountGone(tx, accountId, found.endpoint_id, deliveryId)
    return await readDelivery({ ...ctx, history: tx }, accountId, deliveryId)
  })
  ctx.outside.wakeDispatchers()
  return delivery
}

/** Serializes this with an erasure of the event, so that the second one sees the result of the first. */
async function lockEvent(tx: Queryable, accountId: string, deliveryId: string): Promise<void> {
  await tx.query(
    `select from delivery d join event v on v.account_id = d.account_id and v.id = d.event_id
     where d.account_id = $1 and d.id = $2
     for key share of v`,
    [accountId, deliveryId],
  )
}

/** Returns whether a process has claimed it. The lock prevents new claims. */
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
  endpoint_id: string
  endpoint_deleted: boolean
  endpoint_status: 'enabled' | 'disabled' | 'moving'
  event_gone: boolean
  is_test: boolean
  erased: boolean
}

/** If two requests retry the same delivery, the second waits here and then finds it pending. */
async function lockDelivery(tx: Queryable, accountId: string, deliveryId: string): Promise<DeliveryFacts> {
  const [row] = await tx.query<DeliveryFacts>(
    `select d.state::text as state, d.reason, d.endpoint_id, e.deleted_at is not null as endpoint_deleted,
       e.status as endpoint_status, v.id is null as event_gone, v.erased_at is not null as erased,
       -- test events have the search key 0
       coalesce(0 = any(v.search_keys), false) as is_test
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

function refuseUnlessRetryable(found: DeliveryFacts, isHeld: boolean): void {
  if (found.endpoint_status === 'moving') throw accountMoving()
  if (found.endpoint_deleted) {
    throw new AppError(
      'endpoint_deleted',
      'The endpoint of this delivery was deleted. Posthorn sends nothing more to it.',
    )
  }
  if (found.erased || found.reason === 'erased') {
    throw new AppError(
      'delivery_erased',
      'The recipient of this event was erased. Posthorn never sends the event again.',
    )
  }
  if (found.event_gone || found.reason === 'expired') {
    throw new AppError('event_expired', 'The event is older than the retention period. Its data was deleted.')
  }
  if (isHeld) {
    throw new AppError('delivery_pending', 'An attempt is in progress. Wait until it has ended.')
  }
  if (nextDeliveryState(found.state, 'manual_retry', { wasDelivered: false }) === undefined) {
    throw new AppError('delivery_pending', 'An attempt is already due. Wait until it has ended.')
  }
  if (found.endpoint_status === 'disabled') {
    throw new AppError(
      'endpoint_disabled',
      'The endpoint is disabled. Enable it first. Posthorn then sends the deliveries that wait.',
    )
  }
}

/** Increments the claim, so that a late failure of an older attempt cannot settle this one. */
async function makeDueNow(tx: Queryable, accountId: string, deliveryId: string): Promise<void> {
  await tx.query(
    `with retried as (
       update delivery set state = 'pending', reason = null where account_id = $1 and id = $2
       returning *
     )
     insert into queue as q (account_id, delivery_id, endpoint_id, event_id, due_at, sequence, claim, attempt_count,
                             retries_used, trigger, was_delivered, goes_first)
     select account_id, id, endpoint_id, event_id, now(), sequence, claim + 1, attempt_count, retries_used, 'manual',
            delivered_at is not null,
            -- test events have the search key 0
            (select 0 = any(v.search_keys) from event v where v.account_id = r.account_id and v.id = r.event_id)
     from retried r
     on conflict (account_id, delivery_id) do update
     set due_at = now(), claim = q.claim + 1, lost_claims = 0, trigger = 'manual'`,
    [accountId, deliveryId],
  )
}

/** Those that an earlier 410 gave up are not counted, and most of them are older than `gone_since`. */
async function uncountGone(
  tx: Queryable,
  accountId: string,
  endpointId: string,
  deliveryId: string,
): Promise<void> {
  await tx.query(
    `update endpoint
     set gone_deliveries = gone_deliveries - 1, gone_since = case when gone_deliveries > 1 then gone_since end
     where account_id = $1 and id = $2 and gone_deliveries > 0 and gone_since <= $3`,
    [accountId, endpointId, new Date(uuidV7Ms(deliveryId))],
  )
}

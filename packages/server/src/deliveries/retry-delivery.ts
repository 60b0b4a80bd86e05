import type { Delivery, DeliveryState, ExhaustedReason } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { nextDeliveryState } from '../domain/delivery-state.ts'
import { AppError } from '../errors.ts'
import { deliveryNotFound } from './delivery-not-found.ts'
import { readDelivery } from './get-delivery.ts'
import { writeDownAcknowledged } from './write-down-acknowledged.ts'

/**
 * Sends a delivery once more, now. If that attempt fails, the automatic retries that were left go on; one that was
 * acknowledged before returns to `delivered`.
 */
export async function retryDelivery(ctx: Ctx, accountId: string, deliveryId: string): Promise<Delivery> {
  const delivery = await ctx.db.transaction(async tx => {
    await lockEvent(tx, accountId, deliveryId)
    // a request that is refused locks no waiting row, because a claim would skip it and look again much later
    refuseWhatMakesNoSense(await readFacts(tx, accountId, deliveryId))
    const waits = await lockWaiting(tx, accountId, deliveryId)
    await writeDownAcknowledged(tx, accountId, [deliveryId])
    const found = await lockDelivery(tx, accountId, deliveryId)
    refuseWhatMakesNoSense({ ...found, waits })
    await makeDueNow(tx, accountId, deliveryId, found.state === 'delivered')
    return await readDelivery(tx, accountId, deliveryId)
  })
  ctx.wakeDispatchers()
  return delivery
}

/**
 * Retries, replays and erasures of an event take turns by locking the event first; then they lock waiting rows, and
 * deliveries last. Without one order for all of them two requests can send a delivery twice or dead-lock.
 */
async function lockEvent(tx: Queryable, accountId: string, deliveryId: string): Promise<void> {
  await tx.query(
    `select from delivery d join event v on v.account_id = d.account_id and v.id = d.event_id
     where d.account_id = $1 and d.id = $2
     for no key update of v`,
    [accountId, deliveryId],
  )
}

/** Whether it waits: no claim can take it any more. */
async function lockWaiting(tx: Queryable, accountId: string, deliveryId: string): Promise<boolean> {
  const rows = await tx.query(
    'select 1 as one from waiting where account_id = $1 and delivery_id = $2 for update',
    [accountId, deliveryId],
  )
  return rows.length > 0
}

interface DeliveryFacts {
  state: DeliveryState
  reason: ExhaustedReason | null
  endpoint_deleted: boolean
  endpoint_status: 'enabled' | 'disabled'
  event_gone: boolean
  erased: boolean
  waits: boolean
  taken: boolean
}

async function readFacts(tx: Queryable, accountId: string, deliveryId: string): Promise<DeliveryFacts> {
  return firstOf(await tx.query<DeliveryFacts>(factsOf('delivery_now'), [accountId, deliveryId]))
}

async function lockDelivery(tx: Queryable, accountId: string, deliveryId: string): Promise<DeliveryFacts> {
  const statement = `${factsOf('delivery')} for update of d`
  return firstOf(await tx.query<DeliveryFacts>(statement, [accountId, deliveryId]))
}

const factsOf = (
  table: 'delivery' | 'delivery_now',
): string => `select d.state::text as state, d.reason, e.deleted_at is not null as endpoint_deleted,
    e.status as endpoint_status, v.id is null as event_gone, v.erased_at is not null as erased,
    exists (select from waiting w where w.account_id = d.account_id and w.delivery_id = d.id) as waits,
    exists (select from taken t where t.account_id = d.account_id and t.delivery_id = d.id) as taken
  from ${table} d
  join endpoint e on e.account_id = d.account_id and e.id = d.endpoint_id
  left join event v on v.account_id = d.account_id and v.id = d.event_id
  where d.account_id = $1 and d.id = $2 and e.kind = 'events'`

function firstOf(rows: readonly DeliveryFacts[]): DeliveryFacts {
  const [row] = rows
  if (row === undefined) throw deliveryNotFound()
  return row
}

function refuseWhatMakesNoSense(found: DeliveryFacts): void {
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
  // what is not finished and does not wait is held
  if (found.taken || (!found.waits && (found.state === 'pending' || found.state === 'failed'))) {
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

/**
 * One row to send, whether or not one was waiting. The claim rises above every one that was given out, so that a
 * result which is still to come cannot settle this attempt.
 */
async function makeDueNow(
  tx: Queryable,
  accountId: string,
  deliveryId: string,
  wasDelivered: boolean,
): Promise<void> {
  await tx.query(
    `with d as (
       update delivery set state = 'pending', reason = null, claim = claim + 1
       where account_id = $1 and id = $2
       returning *
     )
     insert into waiting as w (account_id, delivery_id, endpoint_id, event_id, due_at, sequence, claim, attempt_count,
                               retries_used, trigger, was_delivered)
     select d.account_id, d.id, d.endpoint_id, d.event_id, now(), d.sequence, d.claim, d.attempt_count,
            d.retries_used, 'manual', $3
     from d
     on conflict (account_id, delivery_id) do update
     set due_at = excluded.due_at, lost_claims = 0, claim = greatest(w.claim + 1, excluded.claim),
         trigger = 'manual'`,
    [accountId, deliveryId, wasDelivered],
  )
}

import type { DeliveryState, EventType } from '@posthorn/contract'
import type { Ctx } from '../../src/context.ts'
import { freeExpiredLeases } from '../../src/dispatch/free-expired-leases.ts'
import { searchKey } from '../../src/events/search-key.ts'
import { newId } from '../../src/new-id.ts'

export interface StoredEvent {
  id: string
  type: EventType
}

/** Stores an event as accepting does, without deliveries. */
export async function storeEvent(
  ctx: Ctx,
  accountId: string,
  {
    type = 'email.delivered',
    emailId = 'em_1',
    to = 'ada@example.org',
  }: { type?: EventType; emailId?: string; to?: string },
): Promise<StoredEvent> {
  const id = newId(ctx)
  const body = JSON.stringify({
    id,
    type,
    data: { email_id: emailId, to: [to] },
    created_at: new Date().toISOString(),
  })
  const keys = [searchKey(accountId, 'email_id', emailId), searchKey(accountId, 'recipient', to)]
  await ctx.db.query(
    'insert into event (account_id, id, type, search_keys, body) values ($1, $2, $3, $4, $5)',
    [accountId, id, type, keys, Buffer.from(body)],
  )
  return { id, type }
}

export interface DeliveryFacts {
  state?: DeliveryState
  reason?: string | null
  attempts?: number
  retriesUsed?: number
  claim?: number
}

/** Stores a delivery of an event with the next number of its endpoint; one that is not final waits. */
export async function storeDelivery(
  ctx: Ctx,
  accountId: string,
  endpointId: string,
  event: StoredEvent,
  { state = 'pending', reason = null, attempts = 0, retriesUsed = 0, claim = attempts }: DeliveryFacts = {},
): Promise<string> {
  // of its event's millisecond, as the accept statement makes them
  const id = event.id.slice(0, 13) + newId(ctx).slice(13)
  const [numbered] = await ctx.db.query<{ sequence: number }>(
    `update endpoint set last_sequence = last_sequence + 1 where account_id = $1 and id = $2
     returning last_sequence as sequence`,
    [accountId, endpointId],
  )
  const sequence = numbered?.sequence
  await ctx.db.query(
    `insert into delivery (account_id, id, endpoint_id, event_id, type, state, reason, sequence, attempt_count,
                           retries_used, claim, delivered_at)
     values ($1, $2, $3, $4, $5, $6::delivery_state, $7, $8, $9, $10, $11,
             case when $6::delivery_state = 'delivered' then now() end)`,
    [accountId, id, endpointId, event.id, event.type, state, reason, sequence, attempts, retriesUsed, claim],
  )
  if (state === 'pending' || state === 'failed') {
    await ctx.db.query(
      `insert into waiting (account_id, delivery_id, endpoint_id, event_id, due_at, sequence, claim, attempt_count,
                            retries_used)
       values ($1, $2, $3, $4, now() + interval '10 minutes', $5, $6, $7, $8)`,
      [accountId, id, endpointId, event.id, sequence, claim, attempts, retriesUsed],
    )
  }
  return id
}

/** A process takes the delivery, as claiming does, for half a minute. */
export async function takeDelivery(ctx: Ctx, deliveryId: string): Promise<void> {
  await ctx.db.query(
    `with due as (delete from waiting where delivery_id = $1 returning *),
     together as (
       insert into hold (id, process_id, leased_until, account_ids, delivery_ids)
       select gen_random_uuid(), $2, now() + interval '30 seconds', array[account_id], array[delivery_id]
       from due where claim = 0
     )
     insert into taken (account_id, delivery_id, endpoint_id, event_id, process_id, leased_until, sequence, claim,
                        attempt_count, retries_used, trigger, was_delivered)
     select account_id, delivery_id, endpoint_id, event_id, $2, now() + interval '30 seconds', sequence, claim + 1,
            attempt_count, retries_used, trigger, was_delivered
     from due where claim > 0`,
    [deliveryId, newId(ctx)],
  )
}

/** The process that took it is never heard of again: its lease ends, and somebody finds that. */
export async function loseDelivery(ctx: Ctx, deliveryId: string): Promise<void> {
  await ctx.db.query('update taken set leased_until = now() where delivery_id = $1', [deliveryId])
  await ctx.db.query('update hold set leased_until = now() where $1 = any(delivery_ids)', [deliveryId])
  await freeExpiredLeases(ctx.db, newId(ctx))
}

export interface WaitingRow {
  due: boolean
  taken: boolean
  claim: number
  attempt_count: number
  retries_used: number
  trigger: string
  was_delivered: boolean
}

/** What waits of a delivery or is held, as the dispatcher finds it. */
export async function waitingFor(ctx: Ctx, deliveryId: string): Promise<WaitingRow | undefined> {
  const [row] = await ctx.db.query<WaitingRow>(
    `select due_at <= now() as due, false as taken, claim, attempt_count, retries_used, trigger::text as trigger,
            was_delivered
     from waiting where delivery_id = $1
     union all
     select leased_until <= now(), true, claim, attempt_count, retries_used, trigger::text, was_delivered
     from taken where delivery_id = $1
     union all
     select leased_until <= now(), true, 1, 0, 0, 'schedule', false
     from hold where $1 = any(delivery_ids) and exists (select from held where delivery_id = $1)`,
    [deliveryId],
  )
  return row
}

import type { DeliveryState, EventType } from '@posthorn/contract'
import type { Ctx } from '../../src/context.ts'
import { recover } from '../../src/dispatch/recover.ts'
import { searchKey } from '../../src/events/search-key.ts'
import { newId } from '../../src/new-id.ts'

export interface StoredEvent {
  id: string
  type: EventType
}

/** Stores an event like accept, but without deliveries. */
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

/** Stores a delivery of an event with the next number of its endpoint. If it is not final, it is queued. */
export async function storeDelivery(
  ctx: Ctx,
  accountId: string,
  endpointId: string,
  event: StoredEvent,
  { state = 'pending', reason = null, attempts = 0, retriesUsed = 0, claim = attempts }: DeliveryFacts = {},
): Promise<string> {
  // with the millisecond of its event, like the accept statement
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
      `insert into queue (account_id, delivery_id, endpoint_id, event_id, due_at, sequence, claim, attempt_count,
                          retries_used)
       values ($1, $2, $3, $4, now() + interval '10 minutes', $5, $6, $7, $8)`,
      [accountId, id, endpointId, event.id, sequence, claim, attempts, retriesUsed],
    )
  }
  return id
}

/** A process that has just started. Returns its number. */
export async function startProcess({ db }: Pick<Ctx, 'db'>, leaseSeconds = 30): Promise<number> {
  const [row] = await db.query<{ number: number }>(
    `insert into process (host, role, version, started_at, leased_until)
     values ('host', 'all', '0', now(), now() + $1::int * interval '1 second')
     returning number`,
    [leaseSeconds],
  )
  return row?.number ?? 0
}

/** Claims the delivery for a new process. Returns its number. */
export async function claimDelivery(ctx: Ctx, deliveryId: string): Promise<number> {
  const process = await startProcess(ctx)
  await ctx.db.query('update queue set process = $2, claim = claim + 1 where delivery_id = $1', [
    deliveryId,
    process,
  ])
  return process
}

/** The process that holds the delivery dies, its lease ends, and recovery runs. */
export async function loseDelivery(ctx: Ctx, deliveryId: string): Promise<void> {
  await ctx.db.query(
    'update process set leased_until = now() where number = (select process from queue where delivery_id = $1)',
    [deliveryId],
  )
  await recover(ctx.db, { expired: true, retry: { baseSeconds: 1, capSeconds: 1 } })
}

export interface QueueRow {
  due: boolean
  held: boolean
  claim: number
  attempt_count: number
  retries_used: number
  trigger: string
  was_delivered: boolean
}

/** The queue row of a delivery; undefined if the delivery is final. */
export async function queueRow(ctx: Ctx, deliveryId: string): Promise<QueueRow | undefined> {
  const [row] = await ctx.db.query<QueueRow>(
    `select due_at <= now() as due, process is not null as held, claim, attempt_count, retries_used,
            trigger::text as trigger, was_delivered
     from queue where delivery_id = $1`,
    [deliveryId],
  )
  return row
}

import type { Queryable } from '../db/database.ts'
import type { RunningErasure } from './advance-erasures.ts'

/** A claimed delivery may start up to one second later; the other second is a margin. */
const startAndSpareMs = 2_000

/**
 * Gives up the deliveries of erased events and clears their attempts. It increments the claim, so that no attempt in
 * flight can restore a delivery. The erasure then waits until such attempts have ended.
 * @param eventIds locked by this transaction, so that nothing new is queued for them
 */
export async function eraseDeliveries(
  tx: Queryable,
  { account_id: accountId, id }: RunningErasure,
  eventIds: readonly string[],
  attemptTimeoutMs: number,
): Promise<void> {
  const deliveryIds = await readDeliveryIds(tx, accountId, eventIds)
  const queued = await deleteFromQueue(tx, accountId, deliveryIds)
  await tx.query(
    // an acknowledged delivery stays delivered, even during a retry or a replay
    `update delivery d
     set state = case when d.delivered_at is null then 'exhausted' else 'delivered' end::delivery_state,
         reason = case when d.delivered_at is null then 'erased' end,
         claim = coalesce(q.claim, d.claim) + 1
     from unnest($2::uuid[]) as erased (id)
     left join unnest($3::uuid[], $4::int[]) as q (delivery_id, claim) on q.delivery_id = erased.id
     where d.account_id = $1 and d.id = erased.id`,
    [accountId, deliveryIds, queued.map(row => row.delivery_id), queued.map(row => row.claim)],
  )
  const attempts = await clearAttempts(tx, accountId, deliveryIds)
  const underWayMs = queued.some(row => row.is_held) ? attemptTimeoutMs + startAndSpareMs : null
  await tx.query(
    `update erasure set events = events + $3, deliveries = deliveries + $4, attempts = attempts + $5,
       under_way_until = greatest(under_way_until, clock_timestamp() + $6::float8 * interval '1 millisecond')
     where account_id = $1 and id = $2`,
    [accountId, id, eventIds.length, deliveryIds.length, attempts, underWayMs],
  )
}

async function readDeliveryIds(
  tx: Queryable,
  accountId: string,
  eventIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    // a delivery's id starts with the millisecond of its event, so this reads short ranges of the primary key
    `select d.id from unnest($2::uuid[]) as v (id)
     join delivery d on d.account_id = $1 and d.event_id = v.id
       and d.id >= (substr(v.id::text, 1, 13) || '-0000-0000-000000000000')::uuid
       and d.id <= (substr(v.id::text, 1, 13) || '-ffff-ffff-ffffffffffff')::uuid
     order by d.id`,
    [accountId, eventIds],
  )
  return rows.map(row => row.id)
}

interface QueueRow {
  delivery_id: string
  claim: number
  /** A process may still send it. */
  is_held: boolean
}

async function deleteFromQueue(
  tx: Queryable,
  accountId: string,
  deliveryIds: readonly string[],
): Promise<QueueRow[]> {
  return await tx.query<QueueRow>(
    `with locked as materialized (
       select account_id, delivery_id from queue where account_id = $1 and delivery_id = any($2::uuid[])
       order by delivery_id
       for update
     )
     delete from queue q using locked l where q.account_id = l.account_id and q.delivery_id = l.delivery_id
     returning q.delivery_id, q.claim, q.process is not null as is_held`,
    [accountId, deliveryIds],
  )
}

/** Removes the request and response headers and bodies of attempts; returns the number of attempts. */
async function clearAttempts(
  tx: Queryable,
  accountId: string,
  deliveryIds: readonly string[],
): Promise<number> {
  const rows = await tx.query(
    `update attempt set request = null, response_headers = null, response_body = null
     where account_id = $1 and delivery_id = any($2::uuid[])
     returning 1 as one`,
    [accountId, deliveryIds],
  )
  return rows.length
}

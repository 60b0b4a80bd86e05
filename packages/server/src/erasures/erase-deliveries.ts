import type { Queryable } from '../db/database.ts'
import { writeDownAcknowledged } from '../deliveries/write-down-acknowledged.ts'
import type { RunningErasure } from './advance-erasures.ts'

/**
 * Gives up the deliveries of erased events and clears their attempts. The claim rises above every one that was given
 * out, so that no attempt under way can bring a delivery back; those are remembered, with the end of their leases.
 */
export async function eraseDeliveries(
  tx: Queryable,
  { account_id: accountId, id }: RunningErasure,
  eventIds: readonly string[],
): Promise<void> {
  const deliveryIds = await readDeliveryIds(tx, accountId, eventIds)
  const unfinished = await takeOut(tx, accountId, deliveryIds)
  await tx.query(
    // one that was acknowledged stays delivered; its second journey just ends
    `update delivery d
     set state = case when d.delivered_at is null then 'exhausted' else 'delivered' end::delivery_state,
         reason = case when d.delivered_at is null then 'erased' end,
         claim = greatest(d.claim, coalesce(u.claim, 0)) + 1
     from unnest($2::uuid[]) as erased (id)
     left join unnest($3::uuid[], $4::int[]) as u (delivery_id, claim) on u.delivery_id = erased.id
     where d.account_id = $1 and d.id = erased.id`,
    [accountId, deliveryIds, unfinished.map(row => row.delivery_id), unfinished.map(row => row.claim)],
  )
  const attempts = await clearAttempts(tx, accountId, deliveryIds, 'all')
  const underWay = unfinished.flatMap(({ delivery_id: deliveryId, leased_until: leasedUntil }) =>
    leasedUntil === null ? [] : [{ deliveryId, leasedUntil }],
  )
  await tx.query(
    `update erasure set events = events + $3, deliveries = deliveries + $4, attempts = attempts + $5,
       under_way = under_way || $6::uuid[],
       leased_until = greatest(leased_until, (select max(t) from unnest($7::timestamptz[]) t))
     where account_id = $1 and id = $2`,
    [
      accountId,
      id,
      eventIds.length,
      deliveryIds.length,
      attempts,
      underWay.map(({ deliveryId }) => deliveryId),
      underWay.map(({ leasedUntil }) => leasedUntil.toISOString()),
    ],
  )
}

async function readDeliveryIds(
  tx: Queryable,
  accountId: string,
  eventIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    // deliveries bear the millisecond of their event: a short range of the primary key for each
    `select d.id from unnest($2::uuid[]) as v (id)
     join delivery d on d.account_id = $1 and d.event_id = v.id
       and d.id >= (substr(v.id::text, 1, 13) || '-0000-0000-000000000000')::uuid
       and d.id <= (substr(v.id::text, 1, 13) || '-ffff-ffff-ffffffffffff')::uuid
     order by d.id`,
    [accountId, eventIds],
  )
  return rows.map(row => row.id)
}

interface UnfinishedRow {
  delivery_id: string
  claim: number
  /** Until when a process may be sending it; null when nobody is. */
  leased_until: Date | null
}

/** What waits for a retry meanwhile is found by the second. */
const passesMax = 5

/**
 * Takes them from where they wait and from whoever holds them, one by one where they were held together. While their events
 * are locked nobody gives one back; one that is settled between two of the statements, and waits for its retry, was seen by
 * neither, and is looked for again.
 */
async function takeOut(
  tx: Queryable,
  accountId: string,
  deliveryIds: readonly string[],
): Promise<UnfinishedRow[]> {
  const found: UnfinishedRow[] = []
  let left = deliveryIds
  for (let pass = 0; left.length > 0 && pass < passesMax; pass++) {
    await tx.query(
      'select dissolve_holds(array(select id from hold where account_ids @> array[$1::uuid] and delivery_ids && $2::uuid[]))',
      [accountId, left],
    )
    await writeDownAcknowledged(tx, accountId, left)
    found.push(...(await takeOutOf(tx, 'waiting', accountId, left)))
    found.push(...(await takeOutOf(tx, 'taken', accountId, left)))
    const missing = await tx.query<{ id: string }>(
      `select id from delivery
       where account_id = $1 and id = any($2::uuid[]) and id <> all($3::uuid[]) and state in ('pending', 'failed')
       order by id`,
      [accountId, left, found.map(row => row.delivery_id)],
    )
    left = missing.map(row => row.id)
  }
  return found
}

async function takeOutOf(
  tx: Queryable,
  table: 'waiting' | 'taken',
  accountId: string,
  deliveryIds: readonly string[],
): Promise<UnfinishedRow[]> {
  const leasedUntil = table === 'taken' ? 'case when u.leased_until > now() then u.leased_until end' : 'null'
  return await tx.query<UnfinishedRow>(
    `with locked as materialized (
       select account_id, delivery_id from ${table} where account_id = $1 and delivery_id = any($2::uuid[])
       order by delivery_id
       for update
     )
     delete from ${table} u using locked l where u.account_id = l.account_id and u.delivery_id = l.delivery_id
     returning u.delivery_id, u.claim, ${leasedUntil}::timestamptz as leased_until`,
    [accountId, deliveryIds],
  )
}

/**
 * Removes headers and bodies of both directions from attempts; returns how many there were, or how many there were
 * still to be cleared.
 */
export async function clearAttempts(
  tx: Queryable,
  accountId: string,
  deliveryIds: readonly string[],
  which: 'all' | 'filled',
): Promise<number> {
  const rows = await tx.query(
    `update attempt set request = null, response_headers = null, response_body = null
     where account_id = $1 and delivery_id = any($2::uuid[])
       and ($3 or request is not null or response_headers is not null or response_body is not null)
     returning 1 as one`,
    [accountId, deliveryIds, which === 'all'],
  )
  return rows.length
}

import type { Queryable } from '../db/database.ts'
import { givenUp } from '../stats/attempt-counts.ts'
import { type DeliveryState, nextDeliveryState } from '../domain/delivery-state.ts'

const batchMax = 5_000

/** How many deliveries of an endpoint were given up because their day is dropped. */
export interface ExpiredDeliveries {
  accountId: string
  endpointId: string
  count: number
}

/**
 * Gives up what waits from before an id, and counts it at its endpoint. What a process holds is left to it; unless
 * even its partition is gone, because then nobody can send it.
 */
export async function expireWaiting(
  db: Queryable,
  { beforeId, lostBeforeId }: { beforeId: string; lostBeforeId: string },
  onExpired: (expired: ExpiredDeliveries) => void,
): Promise<number> {
  let expired = 0
  const counts = new Map<string, ExpiredDeliveries>()
  const count = (rows: readonly ExpiredRow[]): void => {
    for (const row of rows) {
      if (row.was_delivered) continue
      expired++
      const { account_id: accountId, endpoint_id: endpointId } = row
      const counted = counts.get(endpointId) ?? { accountId, endpointId, count: 0 }
      counts.set(endpointId, { ...counted, count: counted.count + 1 })
    }
  }
  count(await db.transaction(async tx => await expireLost(tx, lostBeforeId)))
  let at = { account_id: firstOfAll, delivery_id: firstOfAll }
  for (;;) {
    const rows = await db.transaction(async tx => await expireBatch(tx, at, beforeId))
    count(rows)
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchMax) break
    at = last
  }
  for (const one of counts.values()) onExpired(one)
  return expired
}

const firstOfAll = '00000000-0000-0000-0000-000000000000'

interface ExpiredRow {
  account_id: string
  delivery_id: string
  endpoint_id: string
  was_delivered: boolean
}

/** Of these not even the events are there any more. */
async function expireLost(tx: Queryable, lostBeforeId: string): Promise<ExpiredRow[]> {
  const rows = await tx.query<ExpiredRow>(
    `delete from taken where delivery_id < $1
     returning account_id, delivery_id, endpoint_id, was_delivered`,
    [lostBeforeId],
  )
  await countGivenUp(tx, rows)
  return rows
}

async function expireBatch(
  tx: Queryable,
  at: { account_id: string; delivery_id: string },
  beforeId: string,
): Promise<ExpiredRow[]> {
  const never = stateAfterExpiry(false)
  const once = stateAfterExpiry(true)
  const rows = await tx.query<ExpiredRow>(
    // one walk along the primary key in all, a stretch of it each time; skip locked, so that a claim is not waited for
    `with old as materialized (
       select account_id, delivery_id, endpoint_id, claim, was_delivered from waiting
       where (account_id, delivery_id) > ($1::uuid, $2::uuid) and delivery_id < $3
       order by account_id, delivery_id
       limit $4
       for update skip locked
     ),
     removed as (
       delete from waiting w using old o where w.account_id = o.account_id and w.delivery_id = o.delivery_id
     ),
     moved as (
       update delivery d
       set state = case when o.was_delivered then $5 else $6 end::delivery_state,
           reason = case when o.was_delivered then $7 else $8 end,
           claim = greatest(d.claim, o.claim) + 1
       from old o where d.account_id = o.account_id and d.id = o.delivery_id
     )
     select account_id, delivery_id, endpoint_id, was_delivered from old order by account_id, delivery_id`,
    [at.account_id, at.delivery_id, beforeId, batchMax, once.state, never.state, once.reason, never.reason],
  )
  await countGivenUp(tx, rows)
  return rows
}

/** Counts at their endpoints those that were never acknowledged; in key order, as everybody takes more than one endpoint. */
async function countGivenUp(tx: Queryable, expired: readonly ExpiredRow[]): Promise<void> {
  const rows = expired.filter(row => !row.was_delivered)
  if (rows.length === 0) return
  await tx.query(
    `with given_up as materialized (
       select account_id, endpoint_id, count(*) as n from unnest($1::uuid[], $2::uuid[]) as g (account_id, endpoint_id)
       group by account_id, endpoint_id
     ),
     locked as materialized (
       select e.account_id, e.id, g.n from endpoint e
       join given_up g on g.account_id = e.account_id and g.endpoint_id = e.id
       order by e.account_id, e.id
       for no key update of e
     ),
     counted as (
       insert into attempt_stat (account_id, endpoint_id, at, width_seconds, result, count, latency_buckets, latency_counts)
       select account_id, id, date_trunc('minute', now()), 60, $3, n, '{}', '{}' from locked
     )
     update endpoint e set expired_deliveries = e.expired_deliveries + l.n
     from locked l where e.account_id = l.account_id and e.id = l.id`,
    [rows.map(row => row.account_id), rows.map(row => row.endpoint_id), givenUp],
  )
}

function stateAfterExpiry(wasDelivered: boolean): { state: DeliveryState; reason: string | null } {
  const next = nextDeliveryState('pending', 'expired', { wasDelivered })
  if (next === undefined) throw new Error('a waiting delivery can always expire')
  return next
}

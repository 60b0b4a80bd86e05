import type { Queryable } from '../db/database.ts'
import { giveUp } from '../deliveries/give-up.ts'
import { leastUuid } from '../db/id-bounds.ts'
import { givenUp } from '../stats/attempt-counts.ts'

const batchMax = 5_000

/** How many deliveries of an endpoint were given up because retention drops their day. */
export interface ExpiredDeliveries {
  accountId: string
  endpointId: string
  count: number
}

/**
 * Gives up queued deliveries from before an id and counts them for each endpoint. Deliveries that a process has claimed stay,
 * unless their partition is gone, because then they cannot be sent.
 */
export async function expireQueued(
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
  let at = { account_id: leastUuid, delivery_id: leastUuid }
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

interface ExpiredRow {
  account_id: string
  delivery_id: string
  endpoint_id: string
  was_delivered: boolean
}

/** Deletes the queue rows of claimed deliveries whose partition is gone. */
async function expireLost(tx: Queryable, lostBeforeId: string): Promise<ExpiredRow[]> {
  const rows = await tx.query<ExpiredRow>(
    `delete from queue where process = any (array(select number from process)) and delivery_id < $1
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
  const rows = await tx.query<ExpiredRow>(expireStatement, [
    at.account_id,
    at.delivery_id,
    beforeId,
    batchMax,
  ])
  await countGivenUp(tx, rows)
  return rows
}

// the batches scan the primary key once in all; skip locked, so that it does not wait for a claim
const expireStatement = `${giveUp(
  `select * from queue
   where (account_id, delivery_id) > ($1::uuid, $2::uuid) and delivery_id < $3 and process is null
   order by account_id, delivery_id
   limit $4
   for update skip locked`,
  'expired',
)}
select account_id, delivery_id, endpoint_id, was_delivered from given_up order by account_id, delivery_id`

/** Counts the deliveries that were never acknowledged. It locks endpoints in key order, to avoid deadlocks. */
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
       insert into attempt_stat (account_id, endpoint_id, at, width_seconds, result, count, last_at, latency_buckets,
         latency_counts)
       select account_id, id, date_trunc('minute', now()), 60, $3, n, now(), '{}', '{}' from locked
     )
     update endpoint e set expired_deliveries = e.expired_deliveries + l.n
     from locked l where e.account_id = l.account_id and e.id = l.id`,
    [rows.map(row => row.account_id), rows.map(row => row.endpoint_id), givenUp],
  )
}

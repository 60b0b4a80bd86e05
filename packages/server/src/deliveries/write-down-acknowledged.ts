import type { Queryable } from '../db/database.ts'

/**
 * Writes into the rows of these deliveries what until then only their attempts say: that they were acknowledged at once
 * (`delivery_now`). Whoever changes finished deliveries calls it first, in the same transaction.
 */
export async function writeDownAcknowledged(
  tx: Queryable,
  accountId: string,
  deliveryIds: readonly string[],
): Promise<void> {
  await tx.query(
    `with acknowledged as materialized (
       select n.id, n.attempt_count, n.last_attempt_at, n.delivered_at
       from unnest($2::uuid[]) as r (id)
       cross join lateral (
         select * from delivery_now where account_id = $1 and id = r.id and claim = 0 and state = 'delivered' limit 1
       ) n
       order by n.id
     )
     update delivery d set state = 'delivered', claim = 1, attempt_count = a.attempt_count,
       last_attempt_at = a.last_attempt_at, delivered_at = a.delivered_at
     from acknowledged a where d.account_id = $1 and d.id = a.id and d.claim = 0`,
    [accountId, deliveryIds],
  )
}

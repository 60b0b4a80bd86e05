import { plainColumns } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import { isInQueue, isSameClaim } from './settle-statement.ts'

/** Puts deliveries that this process holds and did not start back into the queue: due at once, and no attempt is counted. */
export async function release(
  db: Queryable,
  deliveries: ReadonlyArray<Pick<LeasedDelivery, 'accountId' | 'deliveryId' | 'process' | 'claim'>>,
): Promise<void> {
  const inKeyOrder = [...deliveries].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1))
  await db.query(releaseStatement, plainColumns(inKeyOrder, 'accountId', 'deliveryId', 'process', 'claim'))
}

const releaseStatement = {
  name: 'release',
  text: `
with held as materialized (
  select r.account_id, r.delivery_id
  from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::int[]) as r (account_id, delivery_id, process, claim)
  cross join lateral (
    select from queue
    where account_id = r.account_id and delivery_id = r.delivery_id and ${isSameClaim}
    limit 1
    for update
  ) q
)
update queue q set process = null, due_at = now() from held r where ${isInQueue}`,
}

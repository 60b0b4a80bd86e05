import { plainArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import type { TakenDelivery } from '../domain/taken-delivery.ts'

/** Gives back what this process took and did not start: due at once, for anybody. */
export async function release(
  db: Queryable,
  processId: string,
  taken: readonly TakenDelivery[],
): Promise<void> {
  const inKeyOrder = [...taken].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1))
  await db.query(releaseStatement, [
    plainArray(inKeyOrder.map(({ accountId }) => accountId)),
    plainArray(inKeyOrder.map(({ deliveryId }) => deliveryId)),
    plainArray(inKeyOrder.map(one => one.claim)),
    processId,
  ])
}

const releaseStatement = {
  name: 'release',
  // by primary key, and only while it is still ours; no attempt was made, so the claim stays where it is
  text: `
update waiting w set taken_by = null, due_at = now()
from unnest($1::uuid[], $2::uuid[], $3::int[]) as r (account_id, delivery_id, claim)
where w.account_id = r.account_id and w.delivery_id = r.delivery_id and w.claim = r.claim and w.taken_by = $4`,
}

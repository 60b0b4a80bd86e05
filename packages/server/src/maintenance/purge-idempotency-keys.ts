import type { Queryable } from '../db/database.ts'

const batchMax = 5_000

/**
 * Deletes idempotency keys after 24 hours, which is how long the API promises to keep them.
 * @param nowMs from the maintenance gate
 */
export async function purgeIdempotencyKeys(db: Queryable, nowMs: number): Promise<{ purged: number }> {
  let purged = 0
  for (;;) {
    const rows = await db.query(
      // the index idempotency_key_age serves the order; skip locked, because a request may be using its row
      `delete from idempotency_key k
       using (
         select account_id, key from idempotency_key
         where created_at < $2::timestamptz - interval '24 hours'
         order by created_at
         limit $1
         for update skip locked
       ) old
       where k.account_id = old.account_id and k.key = old.key
       returning 1 as one`,
      [batchMax, new Date(nowMs)],
    )
    purged += rows.length
    if (rows.length < batchMax) return { purged }
  }
}

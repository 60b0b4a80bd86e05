import type { Queryable } from '../db/database.ts'

const batchMax = 5_000

/**
 * Forgets idempotency keys after the 24 hours for which they are promised.
 * @param nowMs from the maintenance gate
 */
export async function purgeIdempotencyKeys(db: Queryable, nowMs: number): Promise<{ purged: number }> {
  let purged = 0
  for (;;) {
    const rows = await db.query(
      // oldest first by idempotency_key_age; skip locked, because a request may be waiting for its row
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

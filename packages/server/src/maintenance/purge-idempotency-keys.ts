import type { Ctx } from '../context.ts'

const batchMax = 5_000

/** Forgets idempotency keys after the 24 hours for which they are promised. */
export async function purgeIdempotencyKeys(ctx: Pick<Ctx, 'db'>): Promise<{ purged: number }> {
  let purged = 0
  for (;;) {
    const rows = await ctx.db.query(
      // oldest first by idempotency_key_age; skip locked, because a request may be waiting for its row
      `delete from idempotency_key k
       using (
         select account_id, key from idempotency_key
         where created_at < now() - interval '24 hours'
         order by created_at
         limit $1
         for update skip locked
       ) old
       where k.account_id = old.account_id and k.key = old.key
       returning 1 as one`,
      [batchMax],
    )
    purged += rows.length
    if (rows.length < batchMax) return { purged }
  }
}

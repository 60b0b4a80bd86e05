import type { Ctx } from '../context.ts'

/** Records that a key was used, at most once a minute, so that a busy key does not write its row with every request. */
export async function touchApiKey(ctx: Pick<Ctx, 'db'>, accountId: string, keyId: string): Promise<void> {
  await ctx.db.query(
    `update api_key set last_used_at = now()
     where account_id = $1 and id = $2
       and (last_used_at is null or last_used_at <= now() - interval '1 minute')`,
    [accountId, keyId],
  )
}

import type { Ctx } from '../context.ts'

/** Records that a named token was used, at most once a minute. */
export async function touchOperator(ctx: Pick<Ctx, 'db'>, tokenId: string): Promise<void> {
  await ctx.db.query(
    `update operator_token set last_used_at = now()
     where id = $1 and (last_used_at is null or last_used_at <= now() - interval '1 minute')`,
    [tokenId],
  )
}

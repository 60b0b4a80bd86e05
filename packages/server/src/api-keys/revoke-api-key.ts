import type { Ctx } from '../context.ts'
import { AppError } from '../errors.ts'

/** Ends a key for good; the record stays. Revoking it again changes nothing. */
export async function revokeApiKey(ctx: Ctx, accountId: string, keyId: string): Promise<void> {
  const [row] = await ctx.db.query(
    `update api_key k set revoked_at = coalesce(k.revoked_at, now())
     from account a
     where k.account_id = $1 and k.id = $2 and a.id = k.account_id and a.deleted_at is null
     returning k.id`,
    [accountId, keyId],
  )
  if (row === undefined) throw new AppError('not_found', 'This account has no such API key.')
}

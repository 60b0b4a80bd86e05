import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { type ApiKeyRow, apiKeyColumns, toApiKey } from './row.ts'

/** Revokes a key permanently. The record stays. Revoking it again changes nothing and writes no second audit entry. */
export async function revokeApiKey(ctx: Ctx, accountId: string, keyId: string): Promise<void> {
  await ctx.db.transaction(async tx => {
    const [row] = await lockKeys(tx, accountId, [keyId])
    if (row === undefined) throw keyNotFound()
    await revokeLocked({ ...ctx, db: tx }, accountId, row)
  })
}

/** Locks these keys in key order, unless the account is deleted. */
export async function lockKeys(
  tx: Queryable,
  accountId: string,
  keyIds: readonly string[],
): Promise<ApiKeyRow[]> {
  return await tx.query<ApiKeyRow>(
    `select ${apiKeyColumns} from api_key k join account a on a.id = k.account_id and a.deleted_at is null
     where k.account_id = $1 and k.id = any($2::uuid[])
     order by k.id
     for no key update of k`,
    [accountId, keyIds],
  )
}

/** Revokes a key whose row the transaction has locked. */
export async function revokeLocked(ctx: Ctx, accountId: string, row: ApiKeyRow): Promise<void> {
  if (row.revoked_at !== null) return
  const [revoked] = await ctx.db.query<ApiKeyRow>(
    `update api_key k set revoked_at = now() where k.account_id = $1 and k.id = $2 returning ${apiKeyColumns}`,
    [accountId, row.id],
  )
  if (revoked === undefined) throw keyNotFound()
  const [before, after] = [toApiKey(row), toApiKey(revoked)]
  await recordChange(ctx, { accountId, action: 'api_key.revoked', target: after.id, before, after })
}

/** The same error for an unknown key and for one of another account. */
export function keyNotFound(): AppError {
  return new AppError('not_found', 'This account does not have this API key.')
}

import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { type ApiKeyRow, apiKeyColumns, toApiKey } from './row.ts'

/** Revokes a key permanently. The record stays. Revoking it again changes nothing and writes no second audit entry. */
export async function revokeApiKey(ctx: Ctx, accountId: string, keyId: string): Promise<void> {
  await ctx.db.transaction(async tx => {
    const row = await lockKey(tx, accountId, keyId)
    if (row.revoked_at !== null) return
    const [revoked] = await tx.query<ApiKeyRow>(
      `update api_key k set revoked_at = now() where k.account_id = $1 and k.id = $2 returning ${apiKeyColumns}`,
      [accountId, keyId],
    )
    if (revoked === undefined) throw keyNotFound()
    const [before, after] = [toApiKey(row), toApiKey(revoked)]
    const change = { action: 'api_key.revoked', target: after.id, before, after } as const
    await recordChange({ ...ctx, db: tx }, { accountId, ...change })
  })
}

async function lockKey(tx: Queryable, accountId: string, keyId: string): Promise<ApiKeyRow> {
  const [row] = await tx.query<ApiKeyRow>(
    `select ${apiKeyColumns} from api_key k join account a on a.id = k.account_id and a.deleted_at is null
     where k.account_id = $1 and k.id = $2
     for no key update of k`,
    [accountId, keyId],
  )
  if (row === undefined) throw keyNotFound()
  return row
}

function keyNotFound(): AppError {
  return new AppError('not_found', 'This account does not have this API key.')
}

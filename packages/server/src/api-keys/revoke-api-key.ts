import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { scopesBeyond } from '../domain/key-grant.ts'
import { AppError } from '../errors.ts'
import { lockGrant } from './lock-grant.ts'
import { type ApiKeyRow, apiKeyColumns, toApiKey } from './row.ts'

/** Revokes a key permanently. The record stays. Revoking it again changes nothing and writes no second audit entry. */
export async function revokeApiKey(ctx: Ctx, accountId: string, keyId: string): Promise<void> {
  await ctx.db.transaction(async tx => {
    const [row] = await lockKeys(tx, accountId, [keyId])
    if (row === undefined) throw keyNotFound()
    await revoke({ ...ctx, db: tx }, accountId, row)
  })
}

/**
 * Revokes a key of the actor's account, also the actor's own. A key with more scopes than the actor has is not theirs to
 * stop: it may be the one that the operator's programs use.
 * @throws AppError `insufficient_scope`
 */
export async function revokeOwnApiKey(ctx: Ctx, accountId: string, keyId: string): Promise<void> {
  await ctx.db.transaction(async tx => {
    const { actor } = ctx
    const own = actor.kind === 'api_key' ? [actor.apiKeyId] : []
    // both in key order, because two keys may revoke each other at the same time
    const rows = await lockKeys(tx, accountId, [keyId, ...own])
    const grant = await lockGrant({ ...ctx, db: tx }, accountId)
    const row = rows.find(({ id }) => id === keyId)
    if (row === undefined) throw keyNotFound()
    const foreign = scopesBeyond(grant, row.scopes)
    if (foreign.length > 0) {
      throw new AppError(
        'insufficient_scope',
        `You can only revoke keys whose scopes you have. This key has ${foreign.join(', ')}. Ask the operator to revoke it.`,
      )
    }
    await revoke({ ...ctx, db: tx }, accountId, row)
  })
}

async function lockKeys(tx: Queryable, accountId: string, keyIds: readonly string[]): Promise<ApiKeyRow[]> {
  return await tx.query<ApiKeyRow>(
    `select ${apiKeyColumns} from api_key k join account a on a.id = k.account_id and a.deleted_at is null
     where k.account_id = $1 and k.id = any($2::uuid[])
     order by k.id
     for no key update of k`,
    [accountId, keyIds],
  )
}

async function revoke(ctx: Ctx, accountId: string, row: ApiKeyRow): Promise<void> {
  if (row.revoked_at !== null) return
  const [revoked] = await ctx.db.query<ApiKeyRow>(
    `update api_key k set revoked_at = now() where k.account_id = $1 and k.id = $2 returning ${apiKeyColumns}`,
    [accountId, row.id],
  )
  if (revoked === undefined) throw keyNotFound()
  const [before, after] = [toApiKey(row), toApiKey(revoked)]
  await recordChange(ctx, { accountId, action: 'api_key.revoked', target: after.id, before, after })
}

function keyNotFound(): AppError {
  return new AppError('not_found', 'This account does not have this API key.')
}

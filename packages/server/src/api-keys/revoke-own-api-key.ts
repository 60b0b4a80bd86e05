import type { Ctx } from '../context.ts'
import { scopesBeyond } from '../domain/key-grant.ts'
import { AppError } from '../errors.ts'
import { lockGrant } from './lock-grant.ts'
import { keyNotFound, lockKeys, revokeLocked } from './revoke-api-key.ts'

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
    await revokeLocked({ ...ctx, db: tx }, accountId, row)
  })
}

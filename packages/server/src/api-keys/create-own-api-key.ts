import type { ApiKeyCreated, OwnApiKeyCreate } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { keyExpiry, type KeyGrant, scopesBeyond } from '../domain/key-grant.ts'
import { AppError } from '../errors.ts'
import { createApiKey } from './create-api-key.ts'
import { lockGrant } from './lock-grant.ts'

/**
 * How many keys a customer may have: those that work, and all that were created in the last day. It is enough for a key
 * for each program and colleague, and it stops a program that creates keys in a loop. The operator may create more.
 */
const ownKeysMax = 100

const dayMs = 86_400_000

/**
 * Creates a key for the actor's account, with no scope or expiry beyond the actor's own.
 * @throws AppError `insufficient_scope`, `validation_failed`, `api_key_limit_reached`
 */
export async function createOwnApiKey(
  ctx: Ctx,
  accountId: string,
  input: OwnApiKeyCreate,
): Promise<ApiKeyCreated> {
  return await ctx.db.transaction(async tx => {
    const ctxOfTx = { ...ctx, db: tx }
    await lockAccount(tx, accountId)
    const grant = await lockGrant(ctxOfTx, accountId)
    refuseForeignScopes(grant, input.scopes)
    const expiresAt = allowedExpiry(grant, input.expires_at)
    await refuseTooManyKeys(ctxOfTx, accountId)
    return await createApiKey(ctxOfTx, accountId, { ...input, expires_at: expiresAt })
  })
}

/** So that concurrent requests see each other's keys. */
async function lockAccount(tx: Queryable, accountId: string): Promise<void> {
  const rows = await tx.query(
    'select 1 as one from account where id = $1 and deleted_at is null for no key update',
    [accountId],
  )
  if (rows.length === 0) throw new AppError('not_found', 'The account was deleted.')
}

function refuseForeignScopes(grant: KeyGrant, wanted: OwnApiKeyCreate['scopes']): void {
  const foreign = scopesBeyond(grant, wanted)
  if (foreign.length === 0) return
  throw new AppError(
    'insufficient_scope',
    `A new key can only have scopes that you have: ${grant.scopes.join(', ')}. You do not have ${foreign.join(', ')}.`,
  )
}

function allowedExpiry(grant: KeyGrant, wanted: string | null | undefined): string | null {
  const expiry = keyExpiry(grant, wanted)
  if (expiry !== 'too_late') return expiry.expiresAt
  const latest = grant.keysExpireBy?.toISOString() ?? ''
  const message = `must be ${latest} or earlier, because a new key cannot outlast what you may use`
  throw new AppError('validation_failed', `expires_at: ${message}.`, [{ path: '/expires_at', message }])
}

async function refuseTooManyKeys(ctx: Ctx, accountId: string): Promise<void> {
  const nowMs = ctx.clock.nowMs()
  // a separate statement, because only a statement that starts after the lock sees the latest commits
  const [used] = await ctx.db.query<{ count: number }>(
    `select count(*) as count from api_key
     where account_id = $1
       and (revoked_at is null and (expires_at is null or expires_at > $2::timestamptz)
         or created_at > $3::timestamptz)`,
    [accountId, new Date(nowMs).toISOString(), new Date(nowMs - dayMs).toISOString()],
  )
  if (used === undefined || used.count < ownKeysMax) return
  throw new AppError(
    'api_key_limit_reached',
    `The account has ${used.count} API keys that work or were created in the last 24 hours. The limit is ${ownKeysMax}. Revoke keys that you no longer use, or ask the operator to create one.`,
  )
}

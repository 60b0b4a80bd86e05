import type { Scope } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { KeyGrant } from '../domain/key-grant.ts'
import { AppError } from '../errors.ts'

interface GrantRow {
  scopes: Scope[]
  keys_expire_by: Date | null
  is_ended: boolean
}

/**
 * What the acting key or portal session may grant, read under a lock. The lock waits for a revocation under way, so a key
 * that was revoked after the request began creates nothing.
 * @throws AppError `unauthorized` if the actor was revoked or has expired
 */
export async function lockGrant(ctx: Ctx, accountId: string): Promise<KeyGrant> {
  const { actor, db } = ctx
  const nowAt = new Date(ctx.clock.nowMs()).toISOString()
  if (actor.kind === 'api_key') {
    const row = await lockKeyOf(db, [accountId, actor.apiKeyId, nowAt])
    if (row === undefined || row.is_ended) {
      throw new AppError('unauthorized', 'This API key was revoked or has expired. Use another one.')
    }
    return grantOf(row)
  }
  if (actor.kind === 'portal_session') {
    const row = await lockPortalSessionOf(db, [accountId, actor.portalSessionId, nowAt])
    if (row === undefined || row.is_ended) {
      throw new AppError('unauthorized', 'Your session ended. Sign in again.')
    }
    return grantOf(row)
  }
  throw new Error(`the actor ${actor.kind} has no account`)
}

async function lockKeyOf(tx: Queryable, parameters: string[]): Promise<GrantRow | undefined> {
  const [row] = await tx.query<GrantRow>(
    `select k.scopes, k.expires_at as keys_expire_by,
            k.revoked_at is not null or coalesce(k.expires_at <= $3::timestamptz, false) as is_ended
     from api_key k where k.account_id = $1 and k.id = $2 for share`,
    parameters,
  )
  return row
}

async function lockPortalSessionOf(tx: Queryable, parameters: string[]): Promise<GrantRow | undefined> {
  const [row] = await tx.query<GrantRow>(
    `select p.scopes, p.keys_expire_by, p.revoked_at is not null or p.expires_at <= $3::timestamptz as is_ended
     from portal_session p where p.account_id = $1 and p.id = $2 for share`,
    parameters,
  )
  return row
}

function grantOf({ scopes, keys_expire_by: keysExpireBy }: GrantRow): KeyGrant {
  return { scopes, keysExpireBy }
}

import type { Scope } from '@posthorn/contract'
import { accountMoving } from '../errors.ts'
import type { Ctx } from '../context.ts'

/** The owner of a key. The caller checks expiry and revocation, so that its error can name the cause. */
export interface FoundApiKey {
  accountId: string
  keyId: string
  scopes: Scope[]
  expiresAt: Date | null
  revokedAt: Date | null
}

/**
 * Finds the key with this SHA-256, unless its account is deleted.
 * @throws AppError `account_moving` if the account is not here because of a move
 */
export async function findApiKey(ctx: Pick<Ctx, 'db'>, digest: Uint8Array): Promise<FoundApiKey | undefined> {
  const [row] = await ctx.db.query<FoundApiKey & { isAway: boolean }>(
    // the timing of an index lookup by hash reveals nothing about the key
    `select k.account_id as "accountId", k.id as "keyId", k.scopes, k.expires_at as "expiresAt",
            k.revoked_at as "revokedAt", a.id is null as "isAway"
     from api_key k left join account a on a.id = k.account_id
     where k.hash = $1 and a.deleted_at is null
       and (a.id is not null or exists (select from account_move m where m.account_id = k.account_id))`,
    [digest],
  )
  if (row === undefined) return undefined
  const { isAway, ...found } = row
  if (isAway) throw accountMoving()
  return found
}

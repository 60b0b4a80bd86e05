import type { Scope } from '@posthorn/contract'
import type { Ctx } from '../context.ts'

/** The owner of a key. The caller checks expiry and revocation, so that its error can name the cause. */
export interface FoundApiKey {
  accountId: string
  keyId: string
  scopes: Scope[]
  expiresAt: Date | null
  revokedAt: Date | null
}

/** Finds the key with this SHA-256, unless its account is deleted. */
export async function findApiKey(ctx: Pick<Ctx, 'db'>, digest: Uint8Array): Promise<FoundApiKey | undefined> {
  const [row] = await ctx.db.query<FoundApiKey>(
    // the timing of an index lookup by hash reveals nothing about the key
    `select k.account_id as "accountId", k.id as "keyId", k.scopes, k.expires_at as "expiresAt",
            k.revoked_at as "revokedAt"
     from api_key k join account a on a.id = k.account_id and a.deleted_at is null
     where k.hash = $1`,
    [digest],
  )
  return row
}

import type { Ctx } from '../context.ts'
import { makeSigningSecret, signingSecretPrefix } from '../domain/signing-secret.ts'
import { newId } from '../new-id.ts'
import { sealSigningSecret } from '../seal/signing-secret.ts'

/**
 * Makes a secret and stores it sealed. The caller holds the endpoint's lock, and the id is made under it, so that of two
 * staged keys the one with the smaller id is the older.
 */
export async function addSigningKey(
  ctx: Ctx,
  accountId: string,
  endpointId: string,
  state: 'primary' | 'staged',
): Promise<{ keyId: string; secret: string }> {
  const keyId = newId(ctx)
  const secret = makeSigningSecret(length => ctx.random.bytes(length))
  await ctx.db.query(
    `insert into signing_key (account_id, endpoint_id, id, state, secret_prefix, secret_sealed, promoted_at)
     values ($1, $2, $3, $4, $5, $6, case when $4 = 'primary' then now() end)`,
    [
      accountId,
      endpointId,
      keyId,
      state,
      signingSecretPrefix(secret),
      sealSigningSecret(ctx.seal, { accountId, endpointId, keyId }, secret),
    ],
  )
  return { keyId, secret }
}

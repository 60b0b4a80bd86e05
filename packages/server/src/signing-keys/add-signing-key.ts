import type { Ctx } from '../context.ts'
import { makeSigningSecret, signingSecretPrefix } from '../domain/signing-secret.ts'
import { newId } from '../new-id.ts'
import { sealSigningSecret } from '../seal/signing-secret.ts'

/**
 * Creates a secret and stores it encrypted. The caller must hold the lock on the endpoint, so that ids of staged keys are
 * in the order of their creation.
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

import type { Ctx } from '../context.ts'
import { makeSigningSecret, signingSecretPrefix } from '../domain/signing-secret.ts'
import { newId } from '../new-id.ts'
import { sealSigningSecret } from '../seal/signing-secret.ts'

/**
 * Makes a secret and stores it sealed. The caller holds the endpoint's lock; the time is taken under it, so that of
 * two staged keys the older one is the one that was committed first, whoever began first.
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
    `insert into signing_key (account_id, endpoint_id, id, state, secret_prefix, secret_sealed, created_at, promoted_at)
     select $1, $2, $3, $4, $5, $6, moment, case when $4 = 'primary' then moment end
     from clock_timestamp() as moment`,
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

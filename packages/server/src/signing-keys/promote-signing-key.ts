import type { SigningKeyPromoted } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { lockEndpointForKeyChange } from './lock-endpoint-for-key-change.ts'
import { recordKeyChange } from './record-key-change.ts'
import { readSigningKey } from './row.ts'

/** Makes a staged key primary. In the same transaction, it retires the old primary and erases its secret. */
export async function promoteSigningKey(
  ctx: Ctx,
  accountId: string,
  webhookId: string,
  keyId: string,
): Promise<SigningKeyPromoted> {
  return await ctx.db.transaction(async tx => {
    await lockEndpointForKeyChange(tx, accountId, webhookId)
    const before = await readSigningKey(tx, accountId, webhookId, keyId)
    const { state } = before
    if (state !== 'staged') {
      throw new AppError('signing_key_not_staged', `This key is ${state}. Only a staged key can be promoted.`)
    }
    await replacePrimary(tx, accountId, webhookId, keyId)
    const key = await readSigningKey(tx, accountId, webhookId, keyId)
    await recordKeyChange({ ...ctx, db: tx }, accountId, webhookId, {
      action: 'promoted',
      before,
      after: key,
    })
    return key.verified_count > 0 ? key : { ...key, warnings: [neverVerified] }
  })
}

const neverVerified = {
  code: 'never_verified',
  message:
    'No receiver has proved yet that it verifies events with this secret. Check that yours accepts it, because Posthorn now signs every attempt with it alone.',
}

/** Two statements, because the unique index on primary keys is checked for each row. */
async function replacePrimary(
  tx: Queryable,
  accountId: string,
  webhookId: string,
  keyId: string,
): Promise<void> {
  await tx.query(
    `update signing_key set state = 'retired', retired_at = now(), secret_sealed = null
     where account_id = $1 and endpoint_id = $2 and state = 'primary'`,
    [accountId, webhookId],
  )
  await tx.query(
    `update signing_key set state = 'primary', promoted_at = now()
     where account_id = $1 and endpoint_id = $2 and id = $3`,
    [accountId, webhookId, keyId],
  )
}

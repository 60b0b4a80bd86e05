import type { SigningKey } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { AppError } from '../errors.ts'
import { lockEndpointForKeyChange } from './lock-endpoint-for-key-change.ts'
import { recordKeyChange } from './record-key-change.ts'
import { readSigningKey } from './row.ts'

/** Discards a staged key: erases its secret, but keeps its record. */
export async function retireSigningKey(
  ctx: Ctx,
  accountId: string,
  webhookId: string,
  keyId: string,
): Promise<SigningKey> {
  return await ctx.db.transaction(async tx => {
    await lockEndpointForKeyChange(tx, accountId, webhookId)
    const before = await readSigningKey(tx, accountId, webhookId, keyId)
    const { state } = before
    if (state === 'primary') {
      throw new AppError(
        'primary_key_cannot_be_retired',
        'The primary key signs every delivery. Stage another key and promote it. That retires this key.',
      )
    }
    if (state === 'retired') {
      throw new AppError('signing_key_not_staged', 'This key is already retired.')
    }
    await tx.query(
      `update signing_key set state = 'retired', retired_at = now(), secret_sealed = null
       where account_id = $1 and endpoint_id = $2 and id = $3`,
      [accountId, webhookId, keyId],
    )
    const key = await readSigningKey(tx, accountId, webhookId, keyId)
    await recordKeyChange({ ...ctx, db: tx }, accountId, webhookId, { action: 'retired', before, after: key })
    return key
  })
}

import type { SigningKeyStaged } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { addSigningKey } from './add-signing-key.ts'
import { lockEndpointForKeyChange } from './lock-endpoint-for-key-change.ts'
import { recordKeyChange } from './record-key-change.ts'
import { readSigningKey } from './row.ts'

/** There are two names for staged signatures, `v1s` and `v1s2`. */
const stagedMax = 2

/** Adds a replacement secret, which then signs in addition to the primary. Only this answer contains the secret. */
export async function stageSigningKey(
  ctx: Ctx,
  accountId: string,
  webhookId: string,
): Promise<SigningKeyStaged> {
  return await ctx.db.transaction(async tx => {
    await lockEndpointForKeyChange(tx, accountId, webhookId)
    if ((await countStaged(tx, accountId, webhookId)) >= stagedMax) {
      throw new AppError(
        'staged_key_limit_reached',
        `There are already ${stagedMax} staged keys. Promote or retire one of them first.`,
      )
    }
    const { keyId, secret } = await addSigningKey({ ...ctx, db: tx }, accountId, webhookId, 'staged')
    const key = await readSigningKey(tx, accountId, webhookId, keyId)
    await recordKeyChange({ ...ctx, db: tx }, accountId, webhookId, {
      action: 'staged',
      before: null,
      after: key,
    })
    return { ...key, secret }
  })
}

async function countStaged(tx: Queryable, accountId: string, webhookId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*) as count from signing_key where account_id = $1 and endpoint_id = $2 and state = 'staged'`,
    [accountId, webhookId],
  )
  return row?.count ?? 0
}

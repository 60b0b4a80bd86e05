import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { typeId } from '../domain/type-id.ts'
import { accountNotFound } from './account-not-found.ts'

/**
 * Deletes an account. After the commit, its keys are invalid and its endpoints receive nothing more. A background job
 * deletes its data within a day.
 */
export async function deleteAccount(ctx: Ctx, accountId: string): Promise<void> {
  await ctx.db.transaction(async tx => {
    await markDeleted(tx, accountId)
    await revokeKeys(tx, accountId)
    await deleteEndpoints(tx, accountId)
    await eraseSecrets(tx, accountId)
    await recordChange(
      { ...ctx, db: tx },
      // without the account's name, because this entry is never deleted
      { accountId, action: 'account.deleted', target: typeId('acct', accountId), before: null, after: null },
    )
  })
}

/** Comes first, because the row lock blocks requests that create keys or endpoints for this account. */
async function markDeleted(tx: Queryable, accountId: string): Promise<void> {
  const [row] = await tx.query(
    'update account set deleted_at = now() where id = $1 and deleted_at is null returning id',
    [accountId],
  )
  if (row === undefined) throw accountNotFound()
}

async function revokeKeys(tx: Queryable, accountId: string): Promise<void> {
  await tx.query('update api_key set revoked_at = now() where account_id = $1 and revoked_at is null', [
    accountId,
  ])
}

async function deleteEndpoints(tx: Queryable, accountId: string): Promise<void> {
  await tx.query(
    // locked in key order, as accept does, to avoid deadlocks
    `with live as materialized (
       select id from endpoint where account_id = $1 and deleted_at is null order by id for no key update
     )
     update endpoint e
     set deleted_at = now(), status = 'disabled', version = version + 1, header_names = '{}', headers_sealed = null,
       client_certificate = null, client_key_sealed = null
     from live where e.account_id = $1 and e.id = live.id`,
    [accountId],
  )
}

async function eraseSecrets(tx: Queryable, accountId: string): Promise<void> {
  await tx.query(
    `update signing_key set state = 'retired', retired_at = now(), secret_sealed = null
     where account_id = $1 and state <> 'retired'`,
    [accountId],
  )
  await tx.query('delete from sending_domain where account_id = $1', [accountId])
  await tx.query('delete from provider_source where account_id = $1', [accountId])
}

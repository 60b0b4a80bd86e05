import type { Account, AccountUpdate } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { accountNotFound } from './account-not-found.ts'
import { type AccountRow, accountColumns, toAccount } from './row.ts'

/**
 * Changes what is named. A plan may shrink below the number of endpoints there are: they go on, and no new one can be
 * made until enough are gone.
 */
export async function updateAccount(ctx: Ctx, accountId: string, input: AccountUpdate): Promise<Account> {
  const [row] = await ctx.db.query<AccountRow>(
    `update account set name = coalesce($2, name), max_endpoints = coalesce($3::integer, max_endpoints)
     where id = $1 and deleted_at is null
     returning ${accountColumns}`,
    [accountId, input.name ?? null, input.max_endpoints ?? null],
  )
  if (row === undefined) throw accountNotFound()
  return toAccount(row)
}

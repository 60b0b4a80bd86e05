import type { Account } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { accountNotFound } from './account-not-found.ts'
import { type AccountRow, accountColumns, toAccount } from './row.ts'

/** One account; a deleted one is not found. */
export async function getAccount(ctx: Pick<Ctx, 'db'>, accountId: string): Promise<Account> {
  const [row] = await ctx.db.query<AccountRow>(
    `select ${accountColumns} from account where id = $1 and deleted_at is null`,
    [accountId],
  )
  if (row === undefined) throw accountNotFound()
  return toAccount(row)
}

import type { Account, Page } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { idCursor, type PageInput, toPage } from '../page.ts'
import { type AccountRow, accountColumns, toAccount } from './row.ts'

/** All accounts that are not deleted, newest first. */
export async function listAccounts(ctx: Ctx, input: PageInput): Promise<Page<Account>> {
  const rows = await ctx.db.query<AccountRow>(
    // ids contain their time, so the primary key, read backwards, has this order
    `select ${accountColumns} from account
     where deleted_at is null and ($1::uuid is null or id < $1)
     order by id desc limit $2`,
    [idCursor(input.cursor), input.limit + 1],
  )
  return toPage(rows, input.limit, row => row.id, toAccount)
}

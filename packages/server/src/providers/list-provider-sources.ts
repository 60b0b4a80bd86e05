import type { Page, ProviderSource, System } from '@posthorn/contract'
import { getAccount } from '../accounts/get-account.ts'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { typeId } from '../domain/type-id.ts'
import { idCursor, type PageInput, toPage } from '../page.ts'
import { type ProviderSourceRow, providerSourceColumns, toProviderSource } from './row.ts'

/** The mail providers that report for an account, newest first. */
export async function listProviderSources(
  ctx: Ctx,
  accountId: string,
  input: PageInput,
): Promise<Page<ProviderSource>> {
  const before = idCursor(input.cursor)
  await getAccount(ctx, accountId)
  const rows = await ctx.db.query<ProviderSourceRow>(
    `select ${providerSourceColumns} from provider_source s
     where s.account_id = $1 and ($2::uuid is null or s.id < $2)
     order by s.id desc limit $3`,
    [accountId, before, input.limit + 1],
  )
  return toPage(rows, input.limit, row => row.id, toProviderSource)
}

/** The mail providers of all accounts, those with the latest report first. */
export async function listAllProviderSources(db: Queryable): Promise<System['provider_sources']> {
  const rows = await db.query<ProviderSourceRow & { account_id: string; account_name: string }>(
    `select ${providerSourceColumns}, s.account_id, a.name as account_name
     from provider_source s join account a on a.id = s.account_id
     order by s.last_at desc nulls last, s.id desc limit 250`,
  )
  return rows.map(row => ({
    ...toProviderSource(row),
    account_id: typeId('acct', row.account_id),
    account_name: row.account_name,
  }))
}

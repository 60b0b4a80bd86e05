import type { ApiKey, Page } from '@posthorn/contract'
import { getAccount } from '../accounts/get-account.ts'
import type { Ctx } from '../context.ts'
import { idCursor, type PageInput, toPage } from '../page.ts'
import { type ApiKeyRow, apiKeyColumns, toApiKey } from './row.ts'

/** The keys of an account, including expired and revoked ones, newest first. */
export async function listApiKeys(ctx: Ctx, accountId: string, input: PageInput): Promise<Page<ApiKey>> {
  const before = idCursor(input.cursor)
  await getAccount(ctx, accountId)
  const rows = await ctx.db.query<ApiKeyRow>(
    `select ${apiKeyColumns} from api_key k
     where k.account_id = $1 and ($2::uuid is null or k.id < $2)
     order by k.id desc limit $3`,
    [accountId, before, input.limit + 1],
  )
  return toPage(rows, input.limit, row => row.id, toApiKey)
}

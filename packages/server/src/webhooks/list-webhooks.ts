import type { Page, Webhook } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { idCursor, type PageInput, toPage } from '../page.ts'
import { toWebhook, type WebhookRow, webhookColumns } from './row.ts'

/** The endpoints of the account, newest first; deleted ones are left out. */
export async function listWebhooks(ctx: Ctx, accountId: string, input: PageInput): Promise<Page<Webhook>> {
  const rows = await ctx.db.query<WebhookRow>(
    // ids are times: the account's part of the primary key, read backwards, is the order
    `select ${webhookColumns} from endpoint e
     where e.account_id = $1 and e.deleted_at is null and e.kind = 'events' and ($2::uuid is null or e.id < $2)
     order by e.id desc limit $3`,
    [accountId, idCursor(input.cursor), input.limit + 1],
  )
  return toPage(rows, input.limit, row => row.id, toWebhook)
}

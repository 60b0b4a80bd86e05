import type { Page, Webhook } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { idCursor, type PageInput, toPage } from '../page.ts'
import { toWebhook, type WebhookRow, webhookColumns } from './row.ts'

/** The endpoints of the account, newest first, without deleted ones. */
export async function listWebhooks(ctx: Ctx, accountId: string, input: PageInput): Promise<Page<Webhook>> {
  const rows = await ctx.db.query<WebhookRow>(
    // ids start with their time, so the primary key, read backwards, has this order
    `select ${webhookColumns} from endpoint e
     where e.account_id = $1 and e.deleted_at is null and e.kind = 'events' and ($2::uuid is null or e.id < $2)
     order by e.id desc limit $3`,
    [accountId, idCursor(input.cursor), input.limit + 1],
  )
  return toPage(rows, input.limit, row => row.id, toWebhook)
}

import type { Webhook } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { toWebhook, type WebhookRow, webhookColumns } from './row.ts'
import { webhookNotFound } from './webhook-not-found.ts'

/** One endpoint of the account. A deleted endpoint is not found. */
export async function getWebhook(
  ctx: Pick<Ctx, 'db'>,
  accountId: string,
  webhookId: string,
): Promise<Webhook> {
  const [row] = await ctx.db.query<WebhookRow>(
    `select ${webhookColumns} from endpoint e
     where e.account_id = $1 and e.id = $2 and e.kind = 'events' and e.deleted_at is null`,
    [accountId, webhookId],
  )
  if (row === undefined) throw webhookNotFound()
  return toWebhook(row)
}

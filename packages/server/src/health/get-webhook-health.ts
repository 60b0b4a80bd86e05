import type { WebhookHealth } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { webhookNotFound } from '../webhooks/webhook-not-found.ts'
import { readHealth } from './read-health.ts'
import { readStatistics } from './read-statistics.ts'
import { toWebhookHealth } from './to-webhook-health.ts'

/** The current health of an endpoint. */
export async function getWebhookHealth(
  ctx: Ctx,
  accountId: string,
  webhookId: string,
): Promise<WebhookHealth> {
  const [row] = await readHealth(ctx, accountId, { id: webhookId })
  if (row === undefined) throw webhookNotFound()
  const statistics = await readStatistics(ctx.db, accountId, [row])
  return toWebhookHealth(ctx, row, statistics(row.id))
}

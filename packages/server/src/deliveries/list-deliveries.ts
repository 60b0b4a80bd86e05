import type { Delivery, DeliveryQuery, Page } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { sequenceCursor, toPage } from '../page.ts'
import { getWebhook } from '../webhooks/get-webhook.ts'
import { toDelivery } from './row.ts'
import { walkDeliveries } from './walk-deliveries.ts'

/** The deliveries of an endpoint, newest first; with `after_sequence` in ascending order from there, to fill gaps. */
export async function listDeliveries(
  ctx: Ctx,
  accountId: string,
  webhookId: string,
  input: DeliveryQuery,
): Promise<Page<Delivery>> {
  const from = sequenceCursor(input.cursor) ?? input.after_sequence ?? null
  await getWebhook(ctx, accountId, webhookId)
  const walk = { accountId, endpointId: webhookId, from, upwards: input.after_sequence !== undefined }
  const { rows, lookedTo } = await walkDeliveries(ctx, walk, input)
  return toPage(
    rows,
    input.limit,
    row => row.sequence,
    row => toDelivery(row, ctx.settings),
    lookedTo,
  )
}

import type { Page, WebhookHealth } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { idCursor, type PageInput, toPage } from '../page.ts'
import { readHealth } from './read-health.ts'
import { readStatistics } from './read-statistics.ts'
import { toWebhookHealth } from './to-webhook-health.ts'

/** The health of the account's endpoints, newest endpoint first. It needs at most five statements for any number of endpoints. */
export async function listWebhookHealth(
  ctx: Ctx,
  accountId: string,
  input: PageInput,
): Promise<Page<WebhookHealth>> {
  const rows = await readHealth(ctx, accountId, {
    beforeId: idCursor(input.cursor),
    rowsMax: input.limit + 1,
  })
  const statistics = await readStatistics(ctx.db, accountId, rows)
  return toPage(
    rows,
    input.limit,
    row => row.id,
    row => toWebhookHealth(ctx, row, statistics(row.id)),
  )
}

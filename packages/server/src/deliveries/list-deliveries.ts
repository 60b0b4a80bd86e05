import type { Delivery, DeliveryQuery, Page } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { idRange } from '../domain/time-range.ts'
import { sequenceCursor, toPage } from '../page.ts'
import { getWebhook } from '../webhooks/get-webhook.ts'
import { type DeliveryRow, selectDeliveries, toDelivery } from './row.ts'

/** The deliveries of an endpoint, newest first; with `after_sequence` upwards from there, which fills gaps. */
export async function listDeliveries(
  ctx: Ctx,
  accountId: string,
  webhookId: string,
  input: DeliveryQuery,
): Promise<Page<Delivery>> {
  const upwards = input.after_sequence !== undefined
  const from = sequenceCursor(input.cursor) ?? input.after_sequence ?? null
  const { from: firstId, to: endId } = idRange(input)
  await getWebhook(ctx, accountId, webhookId)
  const rows = await ctx.db.query<DeliveryRow>(upwards ? pageUpwards : pageDownwards, [
    accountId,
    webhookId,
    from,
    input.state ?? null,
    input.type ?? null,
    firstId,
    endId,
    input.state?.join() === 'exhausted',
    input.limit + 1,
  ])
  return toPage(rows, input.limit, row => row.sequence, toDelivery)
}

const pageDownwards = pageSql({ beyond: '<', order: 'desc' })
const pageUpwards = pageSql({ beyond: '>', order: 'asc' })

/**
 * The page is cut out first, along (account, endpoint, sequence) of the days in question, and only its rows are
 * joined. Who asks for exhausted ones alone is answered by the partial index on those that have a reason.
 */
function pageSql({ beyond, order }: { beyond: '<' | '>'; order: 'asc' | 'desc' }): string {
  return `${selectDeliveries(`(
      select * from delivery p
      where p.account_id = $1 and p.endpoint_id = $2
        and ($3::bigint is null or p.sequence ${beyond} $3)
        and ($4::delivery_state[] is null or p.state = any($4))
        and ($5::event_type[] is null or p.type = any($5))
        and ($6::uuid is null or p.id >= $6)
        and ($7::uuid is null or p.id < $7)
        and (not $8::boolean or p.reason is not null)
      order by p.sequence ${order}
      limit $9
    )`)}
    order by d.sequence ${order}`
}

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
  const from = sequenceCursor(input.cursor) ?? input.after_sequence ?? null
  const { from: firstId, to: endId } = idRange(input)
  await getWebhook(ctx, accountId, webhookId)
  const rows = await ctx.db.query<DeliveryRow>(pageSql(input), [
    accountId,
    webhookId,
    from,
    input.state ?? null,
    input.type ?? null,
    firstId,
    endId,
    input.limit + 1,
  ])
  return toPage(rows, input.limit, row => row.sequence, toDelivery)
}

/**
 * The page is cut out first, along (account, endpoint, sequence) of the days in question, and only its rows are
 * joined. What is rare in a long history is not searched for in it: what was given up stands in a partial index, what
 * is still to be sent in `waiting`, and types other than email.delivered in a partial index as well.
 */
function pageSql({ state, type, after_sequence }: DeliveryQuery): string {
  const { beyond, order } =
    after_sequence === undefined ? { beyond: '<', order: 'desc' } : { beyond: '>', order: 'asc' }
  const rareType = type?.includes('email.delivered') === false ? `and p.type <> 'email.delivered'` : ''
  const filters = `($4::delivery_state[] is null or p.state = any($4))
        and ($5::event_type[] is null or p.type = any($5)) ${rareType}`
  const history = (place: string): string => `(
      select p.* from delivery p
      where p.account_id = $1 and p.endpoint_id = $2
        and ($3::bigint is null or p.sequence ${beyond} $3)
        and ($6::uuid is null or p.id >= $6)
        and ($7::uuid is null or p.id < $7)
        and ${filters} ${place}
      order by p.sequence ${order}
      limit $8
    )`
  // the limit within keeps the planner from reading whole days for a few rows: each is looked up by its primary key
  const queue = `(
      select p.* from (
        select w.delivery_id, w.sequence from waiting w
        where w.account_id = $1 and w.endpoint_id = $2
          and ($3::bigint is null or w.sequence ${beyond} $3)
          and ($6::uuid is null or w.delivery_id >= $6)
          and ($7::uuid is null or w.delivery_id < $7)
        order by w.sequence ${order}
      ) w
      cross join lateral (select d.* from delivery d where d.account_id = $1 and d.id = w.delivery_id limit 1) p
      where ${filters}
      order by w.sequence ${order}
      limit $8
    )`
  const pages: string[] = []
  if (state === undefined || state.includes('delivered')) pages.push(history(''))
  else {
    if (state.includes('exhausted')) pages.push(history('and p.reason is not null'))
    if (state.includes('pending') || state.includes('failed')) pages.push(queue)
  }
  return `${selectDeliveries(`(select * from (${pages.join(' union all ')}) p order by p.sequence ${order} limit $8)`)}
    order by d.sequence ${order}`
}

import type { Ctx } from '../context.ts'
import { type DeliveryFilters, filtersSql, filterValues } from './delivery-filters.ts'
import { type EventWalk, findEvents } from './find-events.ts'
import { type DeliveryRow, selectDeliveries } from './row.ts'

/**
 * Finds events by id, email, recipient or rare type, and then the deliveries of each, newest event first. A delivery's id
 * starts with the millisecond of its event, so the deliveries of an event are a short range of the primary key.
 */
export async function findDeliveriesOfEvents(
  ctx: Pick<Ctx, 'db' | 'history'>,
  walk: EventWalk,
  filters: DeliveryFilters,
): Promise<{ rows: DeliveryRow[]; lookedTo: string | null }> {
  const events = await findEvents(ctx, walk, filters)
  const rows = await ctx.history.query<DeliveryRow>(
    `${selectDeliveries(`(
      select p.* from (select v.id from (${events.sql}) v order by v.id desc) v
      cross join lateral (
        select p.* from delivery p
        where p.account_id = $1 and p.event_id = v.id
          and p.id >= (left(v.id::text, 13) || '-0000-0000-000000000000')::uuid
          and p.id <= (left(v.id::text, 13) || '-ffff-ffff-ffffffffffff')::uuid
          and ($2::uuid is null or p.endpoint_id = $2)
          and ($4::uuid is null or v.id <> $3 or p.id < $4)
          and ${filtersSql(6)}
        order by p.id desc
        -- forces one lookup per event, because the planner might reverse the join and read whole days
        offset 0
      ) p
      order by v.id desc, p.id desc
      limit $5)`)}
     order by d.event_id desc, d.id desc`,
    [
      walk.accountId,
      walk.endpointId,
      walk.from?.eventId ?? null,
      walk.from?.deliveryId ?? null,
      filters.limit + 1,
      ...filterValues(filters),
      ...events.values,
    ],
  )
  return { rows, lookedTo: events.lookedTo }
}

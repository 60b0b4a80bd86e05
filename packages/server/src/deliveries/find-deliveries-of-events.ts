import type { Ctx } from '../context.ts'
import { idRange } from '../domain/time-range.ts'
import { greatestUuid, leastUuid } from '../domain/uuid-bounds.ts'
import { noticeTypesSql } from '../notices/notice-types.ts'
import {
  areRare,
  type DeliveryFilters,
  filtersSql,
  filterValues,
  isDated,
  lookedThroughMax,
} from './delivery-filters.ts'
import { type DeliveryRow, selectDeliveries } from './row.ts'

/** Deliveries that are found through their events, newest event first. */
export interface EventWalk {
  accountId: string
  endpointId: string | null
  eventId: string | null
  /** Of an email or a recipient. */
  searchKeys: readonly bigint[] | null
  /** Event and delivery of the row before the first, or null. */
  from: { eventId: string; deliveryId: string } | null
}

/**
 * Finds events by their id, by an email or a recipient, or by a type that is rare, and then the deliveries of each: a
 * delivery's id bears its event's millisecond, so they are a short range of the primary key, in one partition.
 */
export async function findDeliveriesOfEvents(
  ctx: Pick<Ctx, 'db' | 'history'>,
  walk: EventWalk,
  filters: DeliveryFilters,
): Promise<{ rows: DeliveryRow[]; lookedTo: string | null }> {
  const { from, to } = idRange(filters)
  const { accountId, eventId, searchKeys } = walk
  const db = searchKeys !== null || isDated(filters) ? ctx.db : ctx.history
  const values = [accountId, eventId, searchKeys, from, to, walk.from?.eventId ?? null]
  const events = eventsSql(filters, searchKeys !== null)
  const [end] = await db.query<{ id: string }>(
    `select v.id from (${events}) v order by v.id desc offset ${lookedThroughMax - 1} limit 1`,
    values,
  )
  const lookedTo = end?.id ?? null
  const rows = await db.query<DeliveryRow>(
    `${selectDeliveries(`(
      select p.* from (
        select v.id from (${events}) v
        where v.id >= coalesce($7, '${leastUuid}'::uuid) and ($12::event_type[] is null or v.type = any($12))
        order by v.id desc
      ) v
      cross join lateral (
        select p.* from delivery_now p
        where p.account_id = $1 and p.event_id = v.id
          and p.id >= (left(v.id::text, 13) || '-0000-0000-000000000000')::uuid
          and p.id <= (left(v.id::text, 13) || '-ffff-ffff-ffffffffffff')::uuid
          and ($8::uuid is null or p.endpoint_id = $8)
          and ($9::uuid is null or v.id <> $6 or p.id < $9)
          and ${filtersSql(11)}
        order by p.id desc
        -- looked up event by event: left free, the planner would turn the join around and read whole days
        offset 0
      ) p
      order by v.id desc, p.id desc
      limit $10)`)}
     order by d.event_id desc, d.id desc`,
    [
      ...values,
      lookedTo,
      walk.endpointId,
      walk.from?.deliveryId ?? null,
      filters.limit + 1,
      ...filterValues(filters),
    ],
  )
  return { rows, lookedTo }
}

/** The fence keeps a search in its index: planned with the limit, it would read the account backwards instead. */
function eventsSql({ type }: DeliveryFilters, isSearch: boolean): string {
  return `select v.id, v.type from event v
    where v.account_id = $1 and v.type <> all(${noticeTypesSql})
      and v.id >= coalesce($2, '${leastUuid}'::uuid) and v.id <= coalesce($2, $6, '${greatestUuid}'::uuid)
      and ($3::bigint[] is null or v.search_keys @> $3)
      and ($4::uuid is null or v.id >= $4) and ($5::uuid is null or v.id < $5)
      ${areRare(type) ? `and v.type <> 'email.delivered'` : ''}
    ${isSearch ? 'offset 0' : ''}`
}

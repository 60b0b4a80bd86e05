import type { Ctx } from '../context.ts'
import { plainArray } from '../db/array-literal.ts'
import type { Lookups } from '../db/database.ts'
import { belowId, fromId, upToId } from '../domain/id-bounds.ts'
import { idRange } from '../domain/time-range.ts'
import { noticeTypesSql } from '../notices/notice-types.ts'
import { type DeliveryFilters, lookedThroughMax } from './delivery-filters.ts'

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

/** What the deliveries are those of: a select of ids with parameters from $9 on, beside those of the statement that it is for. */
export interface FoundEvents {
  sql: string
  values: readonly unknown[]
  /** The event after which nothing was looked at; null when everything was. */
  lookedTo: string | null
}

/** Finds the events by which deliveries are to be found: one, those of an email or a recipient, or those of types that are rare. */
export async function findEvents(
  ctx: Pick<Ctx, 'db' | 'history'>,
  walk: EventWalk,
  filters: DeliveryFilters,
): Promise<FoundEvents> {
  if (walk.searchKeys !== null) {
    const ids = await searchEvents(ctx.db, walk, filters)
    return theseEvents(ids, ids[lookedThroughMax - 1] ?? null)
  }
  if (walk.eventId !== null) {
    const { from, to } = idRange(filters)
    const isAsked = (from === null || walk.eventId >= from) && (to === null || walk.eventId < to)
    return theseEvents(isAsked ? [walk.eventId] : [], null)
  }
  return await rareEvents(ctx, walk, filters)
}

function theseEvents(ids: readonly string[], lookedTo: string | null): FoundEvents {
  return { sql: 'select unnest($9::uuid[]) as id', values: [plainArray(ids)], lookedTo }
}

/**
 * The newest events with these keys, as many as a page looks through. Planned for the very keys and dates, and with a fence:
 * with the limit in sight the planner would read the account backwards instead of looking into the index of keys.
 */
async function searchEvents(
  db: Lookups,
  { accountId, eventId, searchKeys, from: after }: EventWalk,
  filters: DeliveryFilters,
): Promise<string[]> {
  const { from, to } = idRange(filters)
  const rows = await db.query<{ id: string }>(
    `select v.id from (
       select v.id from event v
       where v.account_id = $1 and v.search_keys @> $2::bigint[] and v.type <> all(${noticeTypesSql})
         and ($3::uuid is null or v.id = $3) and ($4::uuid is null or v.id <= $4)
         and ($5::uuid is null or v.id >= $5) and ($6::uuid is null or v.id < $6)
         and ($7::event_type[] is null or v.type = any($7))
       offset 0
     ) v
     order by v.id desc limit ${lookedThroughMax}`,
    [accountId, searchKeys, eventId, after?.eventId ?? null, from, to, filters.type ?? null],
  )
  return rows.map(({ id }) => id)
}

/** Along the partial index of such types, which stays in the statement: a page ends long before all of them are read. */
async function rareEvents(
  { history }: Pick<Ctx, 'history'>,
  { accountId, from: after }: EventWalk,
  filters: DeliveryFilters,
): Promise<FoundEvents> {
  const { from, to } = idRange(filters)
  const [end] = await history.query<{ id: string }>(
    `${rareSql({ after: '$2', from: '$3', to: '$4' })} order by v.id desc offset ${lookedThroughMax - 1} limit 1`,
    [accountId, after?.eventId ?? null, from, to],
  )
  const lookedTo = end?.id ?? null
  return {
    sql: `${rareSql({ after: '$3', from: '$9', to: '$10' })}
        and ${fromId('v.id', '$11')} and ($7::event_type[] is null or v.type = any($7))`,
    values: [from, to, lookedTo],
    lookedTo,
  }
}

/** Events of the account $1 that are no email.delivered, from the event `after` on back. */
function rareSql({ after, from, to }: { after: string; from: string; to: string }): string {
  return `select v.id from event v
    where v.account_id = $1 and v.type <> 'email.delivered' and v.type <> all(${noticeTypesSql})
      and ${upToId('v.id', after)}
      and ${fromId('v.id', from)} and ${belowId('v.id', to)}`
}

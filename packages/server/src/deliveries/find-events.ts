import type { Ctx } from '../context.ts'
import { plainArray } from '../db/array-literal.ts'
import type { Lookups } from '../db/database.ts'
import { belowId, fromId, upToId } from '../db/id-bounds.ts'
import { idRange } from '../domain/time-range.ts'
import { noticeTypesSql } from '../notices/notice-types.ts'
import { type DeliveryFilters, lookedThroughMax } from './delivery-filters.ts'

/** A search for deliveries by their events, newest event first. */
export interface EventWalk {
  accountId: string
  endpointId: string | null
  eventId: string | null
  /** For an email or a recipient. */
  searchKeys: readonly bigint[] | null
  /** Event and delivery of the row before the first, or null. */
  from: { eventId: string; deliveryId: string } | null
}

/** The events as a select of ids. Its own parameters start at $9, after those of the outer statement. */
export interface FoundEvents {
  sql: string
  values: readonly unknown[]
  /** The last event of the scan; null if the scan was complete. */
  lookedTo: string | null
}

/** Finds the events whose deliveries are listed: one event, those of an email or a recipient, or those of rare types. */
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
    const isInRange = (from === null || walk.eventId >= from) && (to === null || walk.eventId < to)
    return theseEvents(isInRange ? [walk.eventId] : [], null)
  }
  return await rareEvents(ctx, walk, filters)
}

function theseEvents(ids: readonly string[], lookedTo: string | null): FoundEvents {
  return { sql: 'select unnest($9::uuid[]) as id', values: [plainArray(ids)], lookedTo }
}

/**
 * The newest events with these keys, as many as a page scans. `offset 0` is a fence: otherwise the planner might read the
 * account backwards instead of using the index of keys.
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

/** Reads the partial index of rare types as part of the outer statement, because a page needs only a few of the rows. */
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

/** Events of the account $1 other than email.delivered, from the event `after` backwards. */
function rareSql({ after, from, to }: { after: string; from: string; to: string }): string {
  return `select v.id from event v
    where v.account_id = $1 and v.type <> 'email.delivered' and v.type <> all(${noticeTypesSql})
      and ${upToId('v.id', after)}
      and ${fromId('v.id', from)} and ${belowId('v.id', to)}`
}

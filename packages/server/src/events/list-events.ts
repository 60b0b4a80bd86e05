import type { Event, EventQuery, Page } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { noticeTypesSql } from '../notices/notice-types.ts'
import { belowId, fromId } from '../db/id-bounds.ts'
import { idRange } from '../domain/time-range.ts'
import { idCursor, toPage } from '../page.ts'
import { type EventRow, eventColumns, toEvent } from './row.ts'
import { searchKeys } from './search-keys.ts'

/** The events of an account, newest first. */
export async function listEvents(ctx: Ctx, accountId: string, input: EventQuery): Promise<Page<Event>> {
  const { from, to } = idRange(input)
  const keys = searchKeys(accountId, input)
  // a search needs a plan for the actual keys
  const db = keys === null ? ctx.history : ctx.db
  const rows = await db.query<EventRow>(pageSql(input, keys !== null), [
    accountId,
    idCursor(input.cursor),
    input.type ?? null,
    keys,
    from,
    to,
    input.limit + 1,
  ])
  return toPage(rows, input.limit, row => row.id, toEvent)
}

/**
 * Reads the primary key backwards, or the partial index if email.delivered is not wanted. For an email, a recipient or a reason, it
 * uses event_search and sorts. `offset 0` is a fence: otherwise the planner might read the whole account backwards.
 */
function pageSql({ type }: EventQuery, isSearch: boolean): string {
  const rareType = type?.includes('email.delivered') === false ? `and v.type <> 'email.delivered'` : ''
  const found = `from event v
     where v.account_id = $1 and v.type <> all(${noticeTypesSql})
       and ${belowId('v.id', '$2')}
       and ($3::event_type[] is null or v.type = any($3))
       and ($4::bigint[] is null or v.search_keys @> $4)
       and ${fromId('v.id', '$5')}
       and ${belowId('v.id', '$6')} ${rareType}`
  return `select ${eventColumns} ${isSearch ? `from (select * ${found} offset 0) v` : found}
     order by v.id desc limit $7`
}

import type { Event, EventQuery, Page } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { noticeTypesSql } from '../notices/notice-types.ts'
import { idRange } from '../domain/time-range.ts'
import { idCursor, toPage } from '../page.ts'
import { type EventRow, eventColumns, toEvent } from './row.ts'
import { type SearchField, searchKey } from './search-key.ts'

/** The events of an account, newest first. */
export async function listEvents(ctx: Ctx, accountId: string, input: EventQuery): Promise<Page<Event>> {
  const { from, to } = idRange(input)
  const rows = await ctx.db.query<EventRow>(
    // an email or a recipient is looked up in event_search, one key each; what is left is the primary key backwards
    `select ${eventColumns} from event v
     where v.account_id = $1 and v.type <> all(${noticeTypesSql})
       and ($2::uuid is null or v.id < $2)
       and ($3::event_type[] is null or v.type = any($3))
       and ($4::bigint[] is null or v.search_keys @> $4)
       and ($5::uuid is null or v.id >= $5)
       and ($6::uuid is null or v.id < $6)
     order by v.id desc limit $7`,
    [
      accountId,
      idCursor(input.cursor),
      input.type ?? null,
      searchKeys(accountId, input),
      from,
      to,
      input.limit + 1,
    ],
  )
  return toPage(rows, input.limit, row => row.id, toEvent)
}

function searchKeys(accountId: string, input: EventQuery): bigint[] | null {
  const keys: bigint[] = []
  const add = (field: SearchField, value: string | undefined): void => {
    if (value !== undefined) keys.push(searchKey(accountId, field, value))
  }
  add('email_id', input.email_id)
  add('recipient', input.recipient)
  return keys.length === 0 ? null : keys
}

import type { Email, EmailQuery, EmailState, Page } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { foldedAddress } from '../domain/folded-address.ts'
import { belowId, fromId } from '../db/id-bounds.ts'
import { idRange } from '../domain/time-range.ts'
import { idCursor, toPage } from '../page.ts'
import { type EmailRow, selectEmails, toEmail } from './row.ts'

/** The emails of an account, newest first. */
export async function listEmails(ctx: Ctx, accountId: string, input: EmailQuery): Promise<Page<Email>> {
  const { from, to } = idRange(input)
  // a search needs a plan for the actual values
  const db = input.recipient === undefined && input.state === undefined ? ctx.history : ctx.db
  const rows = await db.query<EmailRow>(`${selectEmails(pageSql(input))} order by m.id desc`, [
    accountId,
    idCursor(input.cursor),
    from,
    to,
    input.limit + 1,
    input.recipient === undefined ? null : foldedAddress(input.recipient),
    input.state ?? null,
  ])
  return toPage(rows, input.limit, row => row.id, toEmail)
}

/**
 * Reads the primary key backwards, or the index of addresses for a recipient. Bounced, failed and queued emails are rare,
 * so it finds them by the partial index and in `handover`.
 */
function pageSql({ recipient, state }: EmailQuery): string {
  const inRange = (id: string): string =>
    `${belowId(id, '$2')} and ${fromId(id, '$3')} and ${belowId(id, '$4')}`
  const isWanted = `($6::text is null or r.folded_address = $6) and ($7::text[] is null or r.state = any($7))`
  const ofEmail = `select from email_recipient r where r.account_id = m.account_id and r.email_id = m.id and ${isWanted}`
  const found = `select * from email m where m.account_id = $1 and ${inRange('m.id')}`
  const page = 'order by m.id desc limit $5'
  const source = sourceOf(recipient, state)
  if (source === null) {
    return recipient === undefined && state === undefined
      ? `${found} and ($6::text is null) and ($7::text[] is null) ${page}`
      : `${found} and exists (${ofEmail}) ${page}`
  }
  // offset 0 is a fence: otherwise the planner might read the whole account backwards to find a few rows
  return `select m.* from (
      select distinct r.email_id from (${source}) s join email_recipient r
        on r.account_id = $1 and r.email_id = s.email_id and ${isWanted}
      where ${inRange('s.email_id')} order by 1 desc limit $5
    ) f join email m on m.account_id = $1 and m.id = f.email_id`
}

function sourceOf(recipient: string | undefined, states: readonly EmailState[] | undefined): string | null {
  if (recipient !== undefined) {
    return 'select email_id from email_recipient where account_id = $1 and folded_address = $6 offset 0'
  }
  if (states === undefined || states.includes('handed_over') || states.includes('delivered')) return null
  return `select email_id from email_recipient where account_id = $1 and refused_at is not null
    union select email_id from handover where account_id = $1`
}

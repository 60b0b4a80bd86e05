import { plainArray } from '../db/array-literal.ts'
import { textArray } from '../db/binary-array.ts'
import type { Queryable } from '../db/database.ts'
import type { NewEvent } from './accept.ts'
import { stateAfter } from './enter-recipient-states.ts'

/** What an event makes of one recipient in the record of an email. */
export interface RecipientRecord {
  /** UUID. */
  readonly emailId: string
  readonly address: string
  /** JSON: the reply that decided, if there was one. */
  readonly reply: string | null
}

/**
 * Writes into the records of emails what their recipients' events say, in the transaction of the events. Emails that
 * Posthorn has not sent have no record. A delivery also shows that some source reports deliveries.
 */
export async function recordOnEmails(tx: Queryable, events: readonly NewEvent[]): Promise<void> {
  const told = events.flatMap(event => (event.onEmail === undefined ? [] : [{ ...event, ...event.onEmail }]))
  if (told.length === 0) return
  const rows = await tx.query<{ state: string }>(
    `update email_recipient r
     set state = i.state, event_id = i.event_id, reply = i.reply::json, updated_at = now(),
       refused_at = case when i.state <> 'delivered' then now() end
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::text[])
       as i (account_id, email_id, address, state, event_id, reply)
     where r.account_id = i.account_id and r.email_id = i.email_id and r.address = i.address
     returning r.state`,
    [
      plainArray(told.map(event => event.accountId)),
      plainArray(told.map(event => event.emailId)),
      textArray(told.map(event => event.address)),
      plainArray(told.map(event => stateAfter(event.type))),
      plainArray(told.map(event => event.id)),
      textArray(told.map(event => event.reply)),
    ],
  )
  if (rows.some(row => row.state === 'delivered')) await noteSource(tx)
}

/** Not with each delivery: processes would queue for the one row. */
async function noteSource(tx: Queryable): Promise<void> {
  await tx.query(
    `insert into mail_source (kind, last_at) values ('deliveries', now())
     on conflict (kind) do update set last_at = now() where mail_source.last_at < now() - interval '1 hour'`,
  )
}

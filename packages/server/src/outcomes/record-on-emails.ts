import { plainArray, plainColumns } from '../db/array-literal.ts'
import { textArray } from '../db/binary-array.ts'
import type { Queryable } from '../db/database.ts'
import type { NewEvent } from './accept.ts'
import { stateAfter } from './enter-recipient-states.ts'

/** What an event changes in the record of one recipient of an email. */
export interface RecipientRecord {
  /** UUID. */
  readonly emailId: string
  readonly address: string
  /** The deciding reply as JSON, if there was one. */
  readonly reply: string | null
  /** It is about an address that the mail was forwarded to, and counts only while nothing is known of the recipient itself. */
  readonly isForwarded: boolean
}

/**
 * Updates the recipients of emails that Posthorn sent, in the transaction of the events. A delivery also proves that some source
 * reports deliveries.
 */
export async function recordOnEmails(tx: Queryable, events: readonly NewEvent[]): Promise<void> {
  const records = lastOfEach(
    events.flatMap(event => (event.onEmail === undefined ? [] : [{ ...event, ...event.onEmail }])),
  )
  if (records.length === 0) return
  const rows = await tx.query<{ state: string }>(
    `update email_recipient r
     set state = i.state, event_id = i.event_id, reply = i.reply::json, updated_at = now(),
       refused_at = case when i.state <> 'delivered' then now() end
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::bool[])
       as i (account_id, email_id, address, state, event_id, reply, is_forwarded)
     where r.account_id = i.account_id and r.email_id = i.email_id and r.address = i.address
       and (not i.is_forwarded or r.state in ('queued', 'handed_over'))
     returning r.state`,
    [
      ...plainColumns(records, 'accountId', 'emailId'),
      textArray(records.map(event => event.address)),
      plainArray(records.map(event => stateAfter(event.type))),
      ...plainColumns(records, 'id'),
      textArray(records.map(event => event.reply)),
      ...plainColumns(records, 'isForwarded'),
    ],
  )
  if (rows.some(row => row.state === 'delivered')) await noteSource(tx)
}

/** A statement can update a row only once: the recipient's own state counts before that of a forwarding, and the last one counts. */
function lastOfEach<Item extends RecipientRecord & { accountId: string }>(records: readonly Item[]): Item[] {
  const byRecipient = new Map<string, Item>()
  for (const one of records) {
    const key = `${one.accountId} ${one.emailId} ${one.address}`
    if (!one.isForwarded || byRecipient.get(key)?.isForwarded !== false) byRecipient.set(key, one)
  }
  return [...byRecipient.values()]
}

/** At most once an hour, because all processes would wait for the lock on this row. */
async function noteSource(tx: Queryable): Promise<void> {
  await tx.query(
    `insert into mail_source (kind, last_at) values ('deliveries', now())
     on conflict (kind) do update set last_at = now() where mail_source.last_at < now() - interval '1 hour'`,
  )
}

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
  /** About an address that the mail was forwarded to: it counts only while nothing is known of the recipient's own. */
  readonly isForwarded: boolean
}

/**
 * Writes into the records of emails what their recipients' events say, in the transaction of the events. Emails that
 * Posthorn has not sent have no record. A delivery also shows that some source reports deliveries.
 */
export async function recordOnEmails(tx: Queryable, events: readonly NewEvent[]): Promise<void> {
  const told = lastOfEach(
    events.flatMap(event => (event.onEmail === undefined ? [] : [{ ...event, ...event.onEmail }])),
  )
  if (told.length === 0) return
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
      plainArray(told.map(event => event.accountId)),
      plainArray(told.map(event => event.emailId)),
      textArray(told.map(event => event.address)),
      plainArray(told.map(event => stateAfter(event.type))),
      plainArray(told.map(event => event.id)),
      textArray(told.map(event => event.reply)),
      plainArray(told.map(event => String(event.isForwarded))),
    ],
  )
  if (rows.some(row => row.state === 'delivered')) await noteSource(tx)
}

/** One row can be updated once: what is told last of a recipient counts, and before it what is its own end. */
function lastOfEach<Told extends RecipientRecord & { accountId: string }>(told: readonly Told[]): Told[] {
  const byRecipient = new Map<string, Told>()
  for (const one of told) {
    const key = `${one.accountId} ${one.emailId} ${one.address}`
    if (!one.isForwarded || byRecipient.get(key)?.isForwarded !== false) byRecipient.set(key, one)
  }
  return [...byRecipient.values()]
}

/** Not with each delivery: processes would queue for the one row. */
async function noteSource(tx: Queryable): Promise<void> {
  await tx.query(
    `insert into mail_source (kind, last_at) values ('deliveries', now())
     on conflict (kind) do update set last_at = now() where mail_source.last_at < now() - interval '1 hour'`,
  )
}

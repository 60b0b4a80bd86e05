import { nullableArray, plainArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import { type Accepted, type NewEvent, superseded } from './accept.ts'
import type { SuppressionEntry } from '../suppressions/enter-suppressions.ts'
import { recordOnEmails } from './record-on-emails.ts'
import { enterRecipientStates, stateAfter, type RecipientStateChange } from './enter-recipient-states.ts'

/** Nothing was stored for any of the events. */
const none: Accepted = { duplicateOf: [], handedOver: [], left: [] }

/** How the events that are left, and the suppressions that they bring, are stored. */
export interface AcceptSteps {
  accept: (tx: Queryable, events: readonly NewEvent[]) => Promise<Accepted>
  suppress: (tx: Queryable, entries: readonly SuppressionEntry[]) => Promise<void>
}

/**
 * Stores what Posthorn has judged itself or what suppresses an address, in one transaction: first the reporters' names
 * for their outcomes, then the state of each recipient, then the events that are left, the records of emails and the
 * suppressions. The order is the same for everybody, so that nobody dead-locks, and what another process stores
 * meanwhile is waited for, so that no end of an email is told twice.
 */
export async function acceptOncePerRecipient(
  db: Queryable,
  events: readonly NewEvent[],
  { accept, suppress }: AcceptSteps,
): Promise<Accepted> {
  return await db.transaction(async tx => {
    const firstOf = await enterOutcomeKeys(tx, events)
    const changes = events.filter(event => !firstOf.has(event.id)).flatMap(changeOf)
    const entered = await enterRecipientStates(tx, changes)
    const lost = new Set(changes.map(change => change.eventId).filter(id => !entered.has(id)))
    await removeOutcomeKeys(tx, events, lost)

    const fresh = events.filter(event => !firstOf.has(event.id) && !lost.has(event.id))
    // the names are entered already
    const stored = fresh.length === 0 ? none : await accept(tx, fresh.map(withoutName))
    await recordOnEmails(tx, fresh)
    await suppress(
      tx,
      fresh.flatMap(event => event.suppresses ?? []),
    )
    return {
      ...stored,
      duplicateOf: events.map(event => {
        const first = firstOf.get(event.id)
        if (first === undefined) return lost.has(event.id) ? superseded : null
        return lost.has(first) ? superseded : first
      }),
    }
  })
}

/**
 * Enters the reporters' names for their outcomes, in key order, so that two transactions with the same names wait for each
 * other instead of dead-locking.
 * @param tx the transaction in which the events are stored
 * @returns for each event whose outcome was reported before, by its id, the event that it made then
 */
async function enterOutcomeKeys(tx: Queryable, events: readonly NewEvent[]): Promise<Map<string, string>> {
  const named = events.filter(event => event.outcomeDigest !== null)
  if (named.length === 0) return new Map()
  const values = [
    plainArray(named.map(event => event.accountId)),
    nullableArray(named.map(event => event.outcomeDigest)),
    plainArray(named.map(event => event.id)),
  ]
  await tx.query(
    `insert into outcome_key (account_id, digest, event_id)
     select account_id, decode(digest, 'hex'), event_id
     from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as i (account_id, digest, event_id, n)
     order by account_id, decode(digest, 'hex'), n
     on conflict do nothing`,
    values,
  )
  // a statement of its own, because it has to see what others had stored when the first one stopped waiting
  const rows = await tx.query<{ id: string; first: string }>(
    `select i.event_id as id, k.event_id as first
     from unnest($1::uuid[], $2::text[], $3::uuid[]) as i (account_id, digest, event_id)
     join outcome_key k on k.account_id = i.account_id and k.digest = decode(i.digest, 'hex')
     where k.event_id <> i.event_id`,
    values,
  )
  return new Map(rows.map(row => [row.id, row.first]))
}

/** The event as it is stored when its name is entered already. */
function withoutName(event: NewEvent): NewEvent {
  return { ...event, outcomeDigest: null }
}

/** A report that changed nothing leaves no name behind: there is no event that a second one could be told of. */
async function removeOutcomeKeys(
  tx: Queryable,
  events: readonly NewEvent[],
  lost: ReadonlySet<string>,
): Promise<void> {
  const named = events.filter(event => event.outcomeDigest !== null && lost.has(event.id))
  if (named.length === 0) return
  await tx.query(
    `delete from outcome_key k
     using unnest($1::uuid[], $2::text[], $3::uuid[]) as i (account_id, digest, event_id)
     where k.account_id = i.account_id and k.digest = decode(i.digest, 'hex') and k.event_id = i.event_id`,
    [
      plainArray(named.map(event => event.accountId)),
      nullableArray(named.map(event => event.outcomeDigest)),
      plainArray(named.map(event => event.id)),
    ],
  )
}

function changeOf({ accountId, id, type, recipientDigest }: NewEvent): RecipientStateChange[] {
  if (recipientDigest === undefined) return []
  return [{ accountId, eventId: id, digest: recipientDigest, state: stateAfter(type) }]
}

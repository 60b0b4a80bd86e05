import { nullableArray, plainArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import type { SuppressionEntry } from '../suppressions/enter-suppressions.ts'
import { type Accepted, type NewEvent, superseded } from './accept.ts'
import { enterRecipientStates, type RecipientStateChange, stateAfter } from './enter-recipient-states.ts'
import { recordOnEmails } from './record-on-emails.ts'

const nothingStored: Accepted = { duplicateOf: [], handedOver: [], left: [], countedAs: 0 }

export interface AcceptSteps {
  accept: (tx: Queryable, events: readonly NewEvent[]) => Promise<Accepted>
  suppress: (tx: Queryable, entries: readonly SuppressionEntry[]) => Promise<void>
}

/**
 * Stores, in one transaction, events that the classifier decided or that suppress an address: first the `outcome_id`s, then the
 * state of each recipient, then the remaining events, the records of emails and the suppressions. This order is always the same,
 * so that transactions cannot deadlock. Waiting for the locks of another process also prevents two events about one final state.
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
    const lostEvents = events.filter(event => lost.has(event.id))
    await removeOutcomeKeys(tx, lostEvents)

    const fresh = events.filter(event => !firstOf.has(event.id) && !lost.has(event.id))
    // their outcome keys are stored already
    const withoutKeys = fresh
      .flatMap(event => (event.also === undefined ? [event] : [event, event.also]))
      .map(event => ({ ...event, outcomeDigest: null }))
    const stored = fresh.length === 0 ? nothingStored : await accept(tx, withoutKeys)
    await recordOnEmails(tx, fresh)
    const suppressions = fresh.flatMap(event => event.suppresses ?? [])
    await suppress(tx, suppressions)
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
 * Stores the outcome keys of events, in key order, so that two transactions with the same keys do not deadlock.
 * @returns the first event with the same key, by the id of each event that is not the first
 */
async function enterOutcomeKeys(tx: Queryable, events: readonly NewEvent[]): Promise<Map<string, string>> {
  const keys = outcomeKeys(events)
  if (keys === null) return new Map()
  await tx.query(
    `insert into outcome_key (account_id, digest, event_id)
     select account_id, decode(digest, 'hex'), event_id
     from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as i (account_id, digest, event_id, n)
     order by account_id, decode(digest, 'hex'), n
     on conflict do nothing`,
    keys,
  )
  // a separate statement, to see what others committed while the first one waited
  const rows = await tx.query<{ id: string; first: string }>(
    `select i.event_id as id, k.event_id as first
     from unnest($1::uuid[], $2::text[], $3::uuid[]) as i (account_id, digest, event_id)
     join outcome_key k on k.account_id = i.account_id and k.digest = decode(i.digest, 'hex')
     where k.event_id <> i.event_id`,
    keys,
  )
  return new Map(rows.map(row => [row.id, row.first]))
}

/** A superseded outcome keeps no key, because there is no event that a duplicate could name. */
async function removeOutcomeKeys(tx: Queryable, events: readonly NewEvent[]): Promise<void> {
  const keys = outcomeKeys(events)
  if (keys === null) return
  await tx.query(
    `delete from outcome_key k
     using unnest($1::uuid[], $2::text[], $3::uuid[]) as i (account_id, digest, event_id)
     where k.account_id = i.account_id and k.digest = decode(i.digest, 'hex') and k.event_id = i.event_id`,
    keys,
  )
}

/** The keys of events that have one, as parameters; null if none has. */
function outcomeKeys(events: readonly NewEvent[]): string[] | null {
  const keyed = events.filter(event => event.outcomeDigest !== null)
  if (keyed.length === 0) return null
  return [
    plainArray(keyed.map(event => event.accountId)),
    nullableArray(keyed.map(event => event.outcomeDigest)),
    plainArray(keyed.map(event => event.id)),
  ]
}

function changeOf({ accountId, id, type, recipientDigest }: NewEvent): RecipientStateChange[] {
  if (recipientDigest === undefined) return []
  return [{ accountId, eventId: id, digest: recipientDigest, state: stateAfter(type) }]
}

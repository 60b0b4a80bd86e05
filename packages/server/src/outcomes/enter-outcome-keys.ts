import { nullableArray, plainArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import type { NewEvent } from './accept.ts'

/**
 * Enters the reporters' names for their outcomes, in key order, so that two transactions with the same names wait for each
 * other instead of dead-locking.
 * @param tx the transaction in which the events are stored
 * @returns for each event whose outcome was reported before, by its id, the event that it made then
 */
export async function enterOutcomeKeys(
  tx: Queryable,
  events: readonly NewEvent[],
): Promise<Map<string, string>> {
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
export function withoutName(event: NewEvent): NewEvent {
  return { ...event, outcomeDigest: null }
}

import { nullableArray, plainArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import { isOptIn } from '../domain/event-type.ts'
import type { NewEvent } from './accept.ts'

/**
 * Leaves out the opt-in events that no endpoint of their account gets, and deferrals of recipients with a final outcome. Reports
 * of the same recipients come often, so that nothing is stored for accounts without such endpoints.
 */
export async function withoutUnwanted(
  db: Queryable,
  events: readonly NewEvent[],
): Promise<readonly NewEvent[]> {
  const optIns = events.flatMap(event => (isOptIn(event.type) ? [event] : (event.also ?? [])))
  if (optIns.length === 0) return events
  const rows = await db.query<{ id: string }>(
    `select i.id from unnest($1::uuid[], $2::uuid[], $3::event_type[], $4::text[]) as i (account_id, id, type, digest)
     where exists (
       select from endpoint e
       where e.account_id = i.account_id and e.kind = 'events' and e.deleted_at is null and i.type = any(e.events)
     ) and not exists (
       select from recipient_state r where r.account_id = i.account_id and r.digest = decode(i.digest, 'hex')
     )`,
    [
      plainArray(optIns.map(event => event.accountId)),
      plainArray(optIns.map(event => event.id)),
      plainArray(optIns.map(event => event.type)),
      nullableArray(optIns.map(event => event.outcomeDigest)),
    ],
  )
  const wanted = new Set(rows.map(row => row.id))
  for (const id of deferredAfterFinal(events)) wanted.delete(id)
  return events
    .filter(event => !isOptIn(event.type) || wanted.has(event.id))
    .map(event =>
      event.also === undefined || wanted.has(event.also.id) ? event : { ...event, also: undefined },
    )
}

/** The deferrals that come after a final outcome of the same recipient in this group, which is not stored yet. */
function deferredAfterFinal(events: readonly NewEvent[]): string[] {
  const final = new Set<string>()
  return events.flatMap(({ accountId, id, type, outcomeDigest, recipientDigest }) => {
    if (recipientDigest !== undefined) final.add(`${accountId} ${recipientDigest}`)
    return type === 'email.deferred' && final.has(`${accountId} ${outcomeDigest}`) ? [id] : []
  })
}

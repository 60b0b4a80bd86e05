import type { Queryable } from '../db/database.ts'
import { waitAgain } from '../domain/wait-again.ts'

/**
 * What was held for longer than its lease waits again, and is due. One that another process held bears the mark of it:
 * whoever took it was never heard of again.
 */
export async function freeExpiredLeases(db: Queryable, processId: string): Promise<{ freed: number }> {
  await db.query(dissolveExpiredStatement)
  const rows = await db.query(freeExpiredStatement, [processId])
  return { freed: rows.length }
}

/** Its deliveries that are not settled are held one by one then, their leases over. */
const dissolveExpiredStatement = {
  name: 'dissolve-expired',
  text: `select dissolve_holds(ids) from (
    select array_agg(id) as ids from hold where leased_until <= now()
  ) expired where ids is not null`,
}

const freeExpiredStatement = {
  name: 'free-expired-leases',
  // There is no index of leases: what is held is as little as the processes have room for. Events are locked as giving back
  // locks them. Skip locked: it is just settled.
  text: `
with kept as materialized (
  select 1 from (
    select account_id, event_id from taken where leased_until <= now() order by 1, 2
  ) t
  cross join lateral (
    select from event v where v.account_id = t.account_id and v.id = t.event_id limit 1 for key share
  ) v
),
expired as (
  delete from taken where ctid = any (array(
    select ctid from taken where leased_until <= now() and (select count(*) from kept) >= 0
    for update skip locked
  ))
  returning *
)
${waitAgain('expired', 'leased_until', 'lost_claims + (process_id <> $1)::int')}
returning 1 as freed`,
}

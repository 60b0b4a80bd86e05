import { plainArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import type { TakenDelivery } from '../domain/taken-delivery.ts'
import { waitAgain } from '../domain/wait-again.ts'

/** A delivery to give back, and when it is to be due again: usually at once. */
export interface GivenBack extends TakenDelivery {
  dueInMs: number
}

/** Gives back what this process took and did not start. */
export async function release(db: Queryable, processId: string, given: readonly GivenBack[]): Promise<void> {
  for (const [dueInMs, together] of Map.groupBy(given, one => one.dueInMs)) {
    await releaseTogether(db, processId, dueInMs, together)
  }
}

async function releaseTogether(
  db: Queryable,
  processId: string,
  dueInMs: number,
  given: readonly TakenDelivery[],
): Promise<void> {
  const inKeyOrder = [...given].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1))
  await db.query(releaseStatement, [
    plainArray(inKeyOrder.map(({ accountId }) => accountId)),
    plainArray(inKeyOrder.map(({ deliveryId }) => deliveryId)),
    plainArray(inKeyOrder.map(one => one.claim)),
    dueInMs,
    processId,
    plainArray(inKeyOrder.map(({ eventId }) => eventId)),
  ])
}

const releaseStatement = {
  name: 'release',
  // By primary key, and only while it is still ours; no attempt was made, so the claim stays where it is. An erasure that
  // looks for what is not finished has locked the events: what it finds does not go back to where it has looked already.
  text: `
with kept as materialized (
  select 1 from (
    select account_id, event_id from unnest($1::uuid[], $6::uuid[]) as r (account_id, event_id) order by 1, 2
  ) r
  cross join lateral (
    select from event v where v.account_id = r.account_id and v.id = r.event_id limit 1 for key share
  ) v
),
given as (
  delete from taken where ctid = any (array(
    select t.place
    from unnest($1::uuid[], $2::uuid[], $3::int[]) as r (account_id, delivery_id, claim)
    cross join lateral (
      select t.ctid as place from taken t
      where t.account_id = r.account_id and t.delivery_id = r.delivery_id and t.claim = r.claim and t.process_id = $5
      limit 1
      for update
    ) t
    where (select count(*) from kept) >= 0
  ))
  returning *
)
${waitAgain('given', `now() + $4::float8 * interval '1 millisecond'`, 'lost_claims')}`,
}

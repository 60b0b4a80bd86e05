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
    const alone = together.filter(({ hold }) => hold === null)
    const inHolds = together.filter(({ hold }) => hold !== null)
    if (alone.length > 0) await db.query(releaseStatement, [...valuesOf(alone, dueInMs), processId])
    if (inHolds.length > 0) await db.query(releaseOfHoldsStatement, valuesOf(inHolds, dueInMs))
  }
}

function valuesOf(given: readonly TakenDelivery[], dueInMs: number): unknown[] {
  const inKeyOrder = [...given].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1))
  return [
    plainArray(inKeyOrder.map(({ accountId }) => accountId)),
    plainArray(inKeyOrder.map(({ deliveryId }) => deliveryId)),
    plainArray(inKeyOrder.map(({ eventId }) => eventId)),
    dueInMs,
    plainArray(inKeyOrder.map(({ hold, claim }) => hold?.id ?? claim)),
  ]
}

/**
 * No attempt was made, so the claim stays where it is. An erasure that looks for what is not finished has locked the
 * events: what it finds does not go back to where it has looked already.
 */
const keptEvents = `
kept as materialized (
  select 1 from (
    select account_id, event_id from unnest($1::uuid[], $3::uuid[]) as r (account_id, event_id) order by 1, 2
  ) r
  cross join lateral (
    select from event v where v.account_id = r.account_id and v.id = r.event_id limit 1 for key share
  ) v
)`

const dueAgain = `now() + $4::float8 * interval '1 millisecond'`

const releaseStatement = {
  name: 'release',
  // by primary key, and only while it is still ours
  text: `
with ${keptEvents},
given as (
  delete from taken where ctid = any (array(
    select t.place
    from unnest($1::uuid[], $2::uuid[], $5::int[]) as r (account_id, delivery_id, claim)
    cross join lateral (
      select t.ctid as place from taken t
      where t.account_id = r.account_id and t.delivery_id = r.delivery_id and t.claim = r.claim and t.process_id = $6
      limit 1
      for update
    ) t
    where (select count(*) from kept) >= 0
  ))
  returning *
)
${waitAgain('given', dueAgain, 'lost_claims')}`,
}

const releaseOfHoldsStatement = {
  name: 'release-of-holds',
  // while its hold stands a delivery is ours; with a claim of its own it is in it no more
  text: `
with ${keptEvents},
ours as materialized (
  select r.account_id, r.delivery_id
  from unnest($1::uuid[], $2::uuid[], $5::uuid[]) as r (account_id, delivery_id, hold)
  cross join lateral (select from hold h where h.id = r.hold limit 1 for key share) h
  where (select count(*) from kept) >= 0
),
given as (
  update delivery d set claim = 1
  from ours where d.account_id = ours.account_id and d.id = ours.delivery_id and d.claim = 0
  returning d.*
)
insert into waiting (account_id, delivery_id, endpoint_id, event_id, due_at, sequence, claim)
select account_id, id, endpoint_id, event_id, ${dueAgain}, sequence, claim from given
on conflict (account_id, delivery_id) do nothing`,
}

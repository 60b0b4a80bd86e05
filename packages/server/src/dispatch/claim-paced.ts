import { plainArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import { startWithinMs, type TakenDelivery } from '../domain/taken-delivery.ts'
import {
  bodyOfTaken,
  type ClaimOptions,
  type ClaimRow,
  dueFrom,
  type EndpointRoom,
  holdOfDue,
  insertHeld,
  isHeld,
  lostClaims,
  takenFrom,
} from './claim.ts'

export interface PacedClaim {
  claimed: TakenDelivery[]
  /** Endpoints whose bucket is empty or was locked, and in how many milliseconds to ask again. */
  heldBack: Array<{ endpointId: string; nextInMs: number }>
}

/**
 * Claims like `claim`, from endpoints with a rate limit or a backlog that drains, no more than their token buckets
 * hold. A bucket fills at the endpoint's pace, holds one second of it (at least one token), and lies in the
 * endpoint's row: all processes together keep to it.
 */
export async function claimPaced(
  db: Queryable,
  rooms: readonly EndpointRoom[],
  options: ClaimOptions & { drainPerSecond: number },
): Promise<PacedClaim> {
  const startByMs = options.monotonicMs() + startWithinMs
  const rows = await db.query<(ClaimRow & { kind: 'claimed' }) | HeldBackRow>(claimPacedStatement, [
    plainArray(rooms.map(({ accountId }) => accountId)),
    plainArray(rooms.map(({ endpointId }) => endpointId)),
    plainArray(rooms.map(({ room }) => room)),
    options.processId,
    options.leaseMs,
    options.drainPerSecond,
    dueFrom(rooms),
  ])
  const claimed = rows.filter(row => row.kind === 'claimed')
  const heldBack = rows.filter(row => row.kind === 'held_back')
  return {
    claimed: takenFrom(claimed, startByMs, true),
    heldBack: heldBack.map(row => ({
      endpointId: row.endpoint_id,
      nextInMs: Math.max(1, row.next_in_ms),
    })),
  }
}

interface HeldBackRow {
  kind: 'held_back'
  endpoint_id: string
  next_in_ms: number
}

/** After which a bucket that somebody else had locked is tried again. */
const skippedForMs = 20

const claimPacedStatement = {
  name: 'claim-paced',
  text: `
with bucket as materialized (
  select e.account_id, e.id, e.version, e.failing_since is not null as failing, r.room, p.pace,
    to_timestamp(r.due_from_ms / 1000) as due_from,
    -- a clock that was set back takes no tokens away
    least(greatest(1, p.pace), e.bucket_tokens + p.pace * greatest(0, extract(epoch from clock_timestamp() - e.bucket_at))) as tokens
  from unnest($1::uuid[], $2::uuid[], $3::int[], $7::float8[]) as r (account_id, endpoint_id, room, due_from_ms)
  join endpoint e on e.account_id = r.account_id and e.id = r.endpoint_id
    and e.status = 'enabled' and e.deleted_at is null
  cross join lateral (
    select least(e.rate_limit_per_second, case when e.draining_since is not null then $6::float8 end)::float8 as pace
  ) p
  where p.pace is not null
  order by e.account_id, e.id
  -- a bucket that another process is just spending from is left to it
  for no key update of e skip locked
),
chosen as materialized (
  select w.place, b.id as endpoint_id
  from bucket b
  cross join lateral (
    select w.ctid as place from waiting w
    where w.endpoint_id = b.id and w.due_at >= b.due_from and w.due_at <= now()
    order by w.due_at
    limit least(b.room, floor(b.tokens)::int)
    for update skip locked
  ) w
),
spent as (
  update endpoint e set
    bucket_tokens = b.tokens - b.taken,
    bucket_at = clock_timestamp(),
    -- nothing due is left behind what was taken: the backlog is gone
    draining_since = case when b.due_at_most <= b.taken then null else e.draining_since end
  from (
    select t.*, (
      select count(*) from (
        select from waiting w where w.endpoint_id = t.id and w.due_at >= t.due_from and w.due_at <= now()
        limit t.taken + 1
      ) w
    ) as due_at_most
    from (
      select bucket.*, (select count(*) from chosen where chosen.endpoint_id = bucket.id)::int as taken from bucket
    ) t
  ) b
  where e.account_id = b.account_id and e.id = b.id
  returning e.id, case when b.taken >= floor(b.tokens)::int then (1 - (b.tokens - b.taken)) / b.pace * 1000 end as next_in_ms
),
due as (
  delete from waiting where ctid = any (array(select place from chosen)) returning *
),
${insertHeld}
select 'claimed' as kind, t.account_id, t.endpoint_id, t.delivery_id, t.event_id, b.version, b.failing, t.sequence,
  ${holdOfDue} as hold, t.claim + 1 as claim, ${lostClaims} as lost_claims, t.attempt_count, t.retries_used, t.trigger, t.was_delivered, v.body,
  null::float8 as next_in_ms
from due t
join bucket b on b.account_id = t.account_id and b.id = t.endpoint_id
${bodyOfTaken}
where ${isHeld}
union all
select 'held_back', null, id, null, null, null, null, null, null, null, null, null, null, null, null, null, next_in_ms
from spent where next_in_ms is not null
union all
select 'held_back', null, e.id, null, null, null, null, null, null, null, null, null, null, null, null, null, ${skippedForMs}
from unnest($1::uuid[], $2::uuid[]) as r (account_id, endpoint_id)
join endpoint e on e.account_id = r.account_id and e.id = r.endpoint_id
  and e.status = 'enabled' and e.deleted_at is null
where (e.rate_limit_per_second is not null or e.draining_since is not null) and e.id not in (select id from bucket)`,
}

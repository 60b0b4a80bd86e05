import { plainArray, plainColumns } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import { type AttemptTrigger, type LeasedDelivery, startWithinMs } from '../domain/leased-delivery.ts'
import { traceparentOf } from '../domain/traceparent.ts'
import type { DueEndpoint } from './find-due.ts'

/** An endpoint, and how many of its deliveries to claim at most. */
export type ClaimRequest = DueEndpoint & { capacity: number }

export interface ClaimOptions {
  /** The number of this process. */
  number: number
  monotonicMs: () => number
  /** How fast an endpoint that was enabled again drains its backlog. */
  drainPerSecond: number
}

export interface Claim {
  claimed: LeasedDelivery[]
  /** Endpoints to claim from again, and when: a row was skipped, or the token bucket is empty. */
  again: Array<{ endpointId: string; inMs: number }>
}

/** When to try again to claim a row that another transaction had locked or just changed. */
const skippedForMs = 100

/**
 * Claims due deliveries, test events first and then the oldest: at most `capacity` per endpoint, and no more than its token bucket holds if the endpoint
 * has a rate limit or drains a backlog. Claims nothing of disabled or deleted endpoints, and nothing at all if this process has
 * lost its lease.
 */
export async function claim(
  db: Queryable,
  requests: readonly ClaimRequest[],
  options: ClaimOptions,
): Promise<Claim> {
  const startByMs = options.monotonicMs() + startWithinMs
  const unlimited = requests.filter(({ limited }) => !limited)
  const limited = requests.filter(one => one.limited)
  const rows: Row[] = []
  if (unlimited.length > 0) rows.push(...(await db.query<Row>(claimStatement, valuesOf(unlimited, options))))
  if (limited.length > 0) {
    const values = [...valuesOf(limited, options), options.drainPerSecond]
    rows.push(...(await db.query<Row>(claimLimitedStatement, values)))
  }
  return {
    claimed: rows.filter(row => row.kind === 'claimed').map(row => leased(row, options.number, startByMs)),
    again: rows
      .filter(row => row.kind === 'again')
      .map(({ endpoint_id, in_ms }) => ({ endpointId: endpoint_id, inMs: Math.max(1, in_ms) })),
  }
}

function valuesOf(requests: readonly ClaimRequest[], { number }: ClaimOptions): unknown[] {
  return [
    ...plainColumns(requests, 'accountId', 'endpointId', 'capacity'),
    plainArray(requests.map(({ dueFromMs }) => dueFromMs ?? 0)),
    number,
  ]
}

type Row = ClaimedRow | { kind: 'again'; endpoint_id: string; in_ms: number }

interface ClaimedRow {
  kind: 'claimed'
  account_id: string
  endpoint_id: string
  delivery_id: string
  event_id: string
  version: number
  failing: boolean
  limited: boolean
  sequence: number
  claim: number
  lost_claims: number
  attempt_count: number
  retries_used: number
  trigger: AttemptTrigger
  was_delivered: boolean
  goes_first: boolean
  body: Uint8Array
  trace_context: Uint8Array | null
}

function leased(row: ClaimedRow, process: number, startByMs: number): LeasedDelivery {
  return {
    accountId: row.account_id,
    endpointId: row.endpoint_id,
    deliveryId: row.delivery_id,
    eventId: row.event_id,
    endpointVersion: row.version,
    endpointFailing: row.failing,
    endpointLimited: row.limited,
    sequence: row.sequence,
    process,
    claim: row.claim,
    lostClaims: row.lost_claims,
    attemptCount: row.attempt_count,
    retriesUsed: row.retries_used,
    trigger: row.trigger,
    wasDelivered: row.was_delivered,
    goesFirst: row.goes_first,
    body: row.body,
    traceparent: traceparentOf(row.trace_context),
    startByMs,
  }
}

/** Due rows of the endpoint `a`, oldest first. They are locked only as they are read, so the outer limit bounds the locks too. */
const dueOf = (which: string): string => `
      select ctid as place from queue
      where endpoint_id = a.id and process is null and ${which} and due_at >= a.due_from and due_at <= now()
      order by due_at
      limit a.capacity
      for update skip locked`

/**
 * Claims due rows of the endpoints `requested`, test events before others. `skipped` contains the endpoints with a due row that another transaction had
 * locked, or changed since this statement's snapshot.
 */
const claimDue = `
chosen as materialized (
  select q.place
  from requested a
  -- one short index range per endpoint, so that a million due rows of one do not slow down the others
  cross join lateral (
    select * from (${dueOf('goes_first')}) first
    union all
    select * from (${dueOf('not goes_first')}) others
    limit a.capacity
  ) q
  where exists (select from alive)
),
claimed as (
  update queue set process = $5, claim = claim + 1 where ctid = any (array(select place from chosen))
  returning *
),
counted as materialized (
  select a.*, (select count(*) from claimed c where c.endpoint_id = a.id)::int as claimed from requested a
),
skipped as (
  select id from counted c
  where claimed < capacity and exists (
    select from queue where endpoint_id = c.id and process is null and due_at >= c.due_from and due_at <= now()
    offset c.claimed limit 1
  )
)`

const claimedRows = `
select 'claimed' as kind, q.account_id, q.endpoint_id, q.delivery_id, q.event_id, a.version, a.failing, a.limited,
  q.sequence, q.claim,
  q.lost_claims, q.attempt_count, q.retries_used, q.trigger, q.was_delivered, q.goes_first, v.body, v.trace_context, null::float8 as in_ms
from claimed q
join requested a on a.id = q.endpoint_id
-- by key, because a plain join may read all events of the account while the partition has no statistics
cross join lateral (
  select v.body, v.trace_context from event v where v.account_id = q.account_id and v.id = q.event_id limit 1
) v`

const againRow = `select 'again', null, id, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,`

const alive = `alive as materialized (
  select from process where number = $5 and timeline = wal_timeline() for key share
)`

const claimStatement = {
  name: 'claim',
  text: `
with ${alive},
requested as materialized (
  select e.id, e.version, e.failing_since is not null as failing, false as limited, r.capacity, to_timestamp(r.due_from_ms / 1000) as due_from
  from unnest($1::uuid[], $2::uuid[], $3::int[], $4::float8[]) as r (account_id, endpoint_id, capacity, due_from_ms)
  join endpoint e on e.account_id = r.account_id and e.id = r.endpoint_id
    and e.status = 'enabled' and e.deleted_at is null
    and e.rate_limit_per_second is null and e.draining_since is null
),
${claimDue}
${claimedRows}
union all
${againRow} ${skippedForMs} from skipped`,
}

/**
 * The token bucket is in the endpoint's row, so that all processes share it. It fills at the endpoint's pace and holds the
 * tokens of one second, but at least one.
 */
const claimLimitedStatement = {
  name: 'claim-limited',
  text: `
with ${alive},
bucket as materialized (
  select e.account_id, e.id, e.version, e.failing_since is not null as failing, r.capacity as wanted, p.pace,
    to_timestamp(r.due_from_ms / 1000) as due_from,
    -- a clock that steps back removes no tokens
    least(greatest(1, p.pace), e.bucket_tokens + p.pace * greatest(0, extract(epoch from clock_timestamp() - e.bucket_at)))
      as tokens
  from unnest($1::uuid[], $2::uuid[], $3::int[], $4::float8[]) as r (account_id, endpoint_id, capacity, due_from_ms)
  join endpoint e on e.account_id = r.account_id and e.id = r.endpoint_id
    and e.status = 'enabled' and e.deleted_at is null
  cross join lateral (
    select least(e.rate_limit_per_second, case when e.draining_since is not null then $6::float8 end)::float8 as pace
  ) p
  where p.pace is not null
  order by e.account_id, e.id
  -- a locked bucket is in use by another process
  for no key update of e skip locked
),
requested as materialized (
  select *, true as limited, least(wanted, floor(tokens)::int) as capacity from bucket
),
${claimDue},
spent as (
  update endpoint e set
    bucket_tokens = c.tokens - c.claimed,
    bucket_at = clock_timestamp(),
    -- the backlog is drained if nothing due is left
    draining_since = case when exists (
      select from queue where endpoint_id = c.id and process is null and due_at <= now() offset c.claimed limit 1
    ) then e.draining_since end
  from counted c
  where e.account_id = c.account_id and e.id = c.id
  returning e.id, case when c.claimed >= c.capacity and c.capacity < c.wanted
    then (1 - (c.tokens - c.claimed)) / c.pace * 1000 end as in_ms
)
${claimedRows}
union all
${againRow} in_ms from spent where in_ms is not null
union all
${againRow} ${skippedForMs} from skipped
union all
${againRow} ${skippedForMs}
from endpoint
where (account_id, id) in (select * from unnest($1::uuid[], $2::uuid[])) and status = 'enabled' and deleted_at is null
  and (rate_limit_per_second is not null or draining_since is not null) and id not in (select id from bucket)`,
}

import type { Queryable } from '../db/database.ts'
import { failingFrom } from '../domain/failing-from.ts'
import { type HeldBackReason, heldBackReasons } from '../domain/held-back.ts'

/** Up to this number, deliveries are counted exactly. */
const countedMax = 100_000
/** The count for each reason stops here. */
const heldBackMax = 10_000

export interface Queue {
  /** Unfinished deliveries; an estimate above 100,000. */
  waiting: number
  /**
   * For how long an unclaimed delivery could have been sent: its endpoint is enabled, does not fail, and may get one more
   * delivery by its rate limit, its drain rate and its limit of attempts in flight. 0 if there is none.
   */
  oldestDueSeconds: number
  /** Due deliveries that their endpoint holds back; at most 10,000 for each reason. */
  heldBack: Record<HeldBackReason, number>
}

export interface QueueLimits {
  /** The pace of an endpoint that was enabled again. */
  readonly drainPerSecond: number
  /** Attempts in flight for each process. */
  readonly inFlightMax: number
  readonly inFlightPerEndpointMax: number
}

/** Reads the size of the queue, how late it is, and what endpoints hold back, in bounded time. */
export async function readQueue(db: Queryable, limits: QueueLimits): Promise<Queue> {
  const [row] = await db.query<Row>(statement, [
    countedMax,
    limits.drainPerSecond,
    failingFrom,
    heldBackReasons,
    heldBackMax,
    limits.inFlightMax,
    limits.inFlightPerEndpointMax,
  ])
  const counted = row?.counted ?? 0
  const heldBack = { failing: 0, disabled: 0, rate_limit: 0, drain: 0, in_flight: 0 }
  for (const [index, reason] of heldBackReasons.entries()) heldBack[reason] = row?.held_back[index] ?? 0
  return {
    waiting: counted > countedMax ? Math.max(counted, row?.estimate ?? 0) : counted,
    oldestDueSeconds: Math.max(0, row?.oldest ?? 0),
    heldBack,
  }
}

interface Row {
  counted: number
  estimate: number
  oldest: number | null
  /** In the order of the reasons. */
  held_back: number[]
}

const statement = `
  -- jumps along queue_due from endpoint to endpoint, to the first due delivery of each
  with recursive first_due as (
    (select endpoint_id, due_at from queue where process is null order by endpoint_id, due_at limit 1)
    union all
    select next.* from first_due, lateral (
      select q.endpoint_id, q.due_at from queue q
      where q.process is null and q.endpoint_id > first_due.endpoint_id
      order by q.endpoint_id, q.due_at limit 1
    ) next
  ),
  -- a process that can start more attempts: a full one is the limit itself, not its endpoints
  with_room as materialized (
    select number from process where last_seen_at > now() - interval '15 seconds' and in_flight < $6
  ),
  due as materialized (
    select f.endpoint_id, greatest(f.due_at, b.token_at) as sendable_at, case
        when e.status = 'disabled' then 'disabled'
        when e.failures_in_row >= $3::int then 'failing'
        -- a token that is unused for longer has another cause than the limit
        when b.token_at >= now() - interval '1 second' then b.reason
        when (
          select count(*) from (
            select from queue h
            where h.process = any (array(select number from with_room)) and h.endpoint_id = f.endpoint_id
            limit $7
          ) claimed
        ) >= $7 then 'in_flight'
      end as reason
    from first_due f
    join endpoint e on e.id = f.endpoint_id and e.deleted_at is null and e.status in ('enabled', 'disabled')
    cross join lateral (
      select least(e.rate_limit_per_second, case when e.draining_since is not null then $2::float8 end) as pace
    ) p
    cross join lateral (
      -- when the token bucket has its next token, if the last claim used it up
      select case when e.bucket_tokens < 1 then e.bucket_at + (1 - e.bucket_tokens) / p.pace * interval '1 second' end
          as token_at,
        case when e.rate_limit_per_second <= p.pace then 'rate_limit' else 'drain' end as reason
    ) b
    where f.due_at <= now()
  )
  select (select count(*) from (select from queue limit $1 + 1) q) as counted,
    (select greatest(reltuples, 0)::float8 from pg_class where oid = 'queue'::regclass) as estimate,
    (select extract(epoch from now() - min(sendable_at))::float8 from due
     where reason is null or reason in ('rate_limit', 'drain')) as oldest,
    array(
      select (select count(*) from (
        select from due d cross join lateral (
          -- in the order of the index, because a bitmap scan would read the whole backlog before it stops
          select from queue q where q.endpoint_id = d.endpoint_id and q.process is null and q.due_at <= now()
          order by q.due_at limit $5
        ) q
        where d.reason = r.reason
        limit $5
      ) h)::int
      from unnest($4::text[]) with ordinality r (reason, n) order by n
    ) as held_back`

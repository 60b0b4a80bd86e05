import type { PreparedStatement } from '../db/database.ts'
import { oncePerDay } from '../domain/partition-day.ts'
import { settleEndpoints } from './settle-endpoints.ts'

/**
 * The parameters (`settleValues`), one row for each result. They are arrays, one for each column. Only those of text are
 * unnested, which costs as much for each element as looking ten of them up by their place.
 */
const results = `
with result as materialized (
  select r.*, ($1::uuid[])[n] as account_id, ($2::uuid[])[n] as delivery_id, ($3::bigint[])[n] as process,
    ($4::int[])[n] as claim, ($5::int[])[n] as attempts, ($6::delivery_state[])[n] as state,
    ($7::int[])[n] as retries_used, nullif(($8::float8[])[n], -1) as due_in_ms,
    ($9::attempt_trigger[])[n] as next_trigger, ($10::bool[])[n] as success
  from (
    select t.*, nth::int as n
    from unnest($21::text[], $22::text[], $23::text[], $24::text[], $25::text[], $26::text[], $27::text[])
      with ordinality as t (reason, error_code, error_message, response_headers, response_body, verified_by, request,
        nth)
  ) r
)`

const attemptColumns = `account_id, delivery_id, id, number, trigger, duration_ms, dns_ms, connect_ms, tls_ms, first_byte_ms,
    status_code, process, error_code, error_message, verified_by, gave_up, response_headers, response_body, request`

/** The values of these columns for a row of `result`; the last three are given, because an erasure removes them. */
const attemptValues = (answer: string): string => `account_id, delivery_id, ($11::uuid[])[n], ($12::int[])[n],
    ($13::attempt_trigger[])[n], ($14::real[])[n], nullif(($15::real[])[n], -1), nullif(($16::real[])[n], -1),
    nullif(($17::real[])[n], -1), nullif(($18::real[])[n], -1), nullif(($19::smallint[])[n], -1), ($20::int[])[n],
    error_code, error_message, verified_by, nullif(state = 'exhausted', false), ${answer}`

/**
 * The equality of two keys, said so that no hash can be made of it: only an index answers it. The plan is made once, often
 * while the tables are empty, and for empty tables a hash join is cheaper; it would read the whole table for each statement,
 * until somebody analyses it.
 */
const isThatDelivery = 'd.account_id = r.account_id and d.id >= r.delivery_id and d.id <= r.delivery_id'
export const isInQueue =
  'q.account_id = r.account_id and q.delivery_id >= r.delivery_id and q.delivery_id <= r.delivery_id'

/** The fence. An equality would be answered by the index of what a process holds, which is all that it holds. */
export const isHeldAs = 'process is not distinct from r.process and claim = r.claim'

/**
 * Writes the results of deliveries that the process still holds as it claimed them, and answers which of the others there
 * are: those are late, and `lateStatement` is for them.
 */
const settleText = (ofDay: string, endpoints: string): string => `${results},
-- a lease cannot end while its results are written
alive as materialized (
  select number from process where number = any ($3::bigint[]) order by number for key share
),
-- One index lookup for each result: the limit forces it, and no other index knows an account. The condition on n is always
-- true, and taken for rare: with one row expected here, nothing that follows is joined by reading a table.
held as materialized (
  select r.*, q.endpoint_id, q.attempt_count, e.deleted
  from result r
  cross join lateral (
    select endpoint_id, attempt_count from queue
    where account_id = r.account_id and delivery_id = r.delivery_id
      and ${isHeldAs}
    limit 1
    for update
  ) q
  -- what failed is not tried again at an endpoint that was deleted meanwhile
  left join lateral (
    select deleted_at is not null as deleted from endpoint
    where account_id = r.account_id and id = q.endpoint_id and r.due_in_ms is not null
    limit 1
  ) e on true
  where r.n = r.n + 0 and (select count(*) from alive) >= 0
),
decided as materialized (
  select h.account_id, h.delivery_id, h.n, h.claim, h.attempts, h.success, h.error_code, h.retries_used,
    h.next_trigger, h.attempt_count + h.attempts as attempt_count,
    case when h.deleted then 'exhausted' else h.state end as state,
    case when h.deleted then 'endpoint_deleted' else h.reason end as reason,
    case when h.deleted then null else h.due_in_ms end as due_in_ms
  from held h
),
logged as (
  insert into attempt${ofDay} (${attemptColumns})
  select ${attemptValues('response_headers, response_body, request')}
  from held where attempts > 0
),
-- by key: a row that was changed while its lock was waited for lies in another place than this statement's snapshot knows
done as (
  delete from queue q using decided r where ${isInQueue} and r.due_in_ms is null
),
again as (
  update queue q set process = null, due_at = now() + r.due_in_ms * interval '1 millisecond', lost_claims = 0,
    attempt_count = r.attempt_count, retries_used = r.retries_used, trigger = r.next_trigger
  from decided r where ${isInQueue} and r.due_in_ms is not null
),
-- no indexed column changes unless it is given up, so this stays on the page where the delivery was written
moved as (
  update delivery${ofDay} d set
    state = r.state, reason = r.reason, attempt_count = r.attempt_count, retries_used = r.retries_used, claim = r.claim,
    last_error_code = case when r.attempts > 0 then r.error_code else d.last_error_code end,
    last_attempt_at = case when r.attempts > 0 then now() else d.last_attempt_at end,
    delivered_at = case when r.success then coalesce(d.delivered_at, now()) else d.delivered_at end
  from decided r
  where ${isThatDelivery}
)${endpoints}
select n from result where n not in (select n from held) order by n`

/**
 * Writes results that came too late: the delivery was given to somebody else, or is finished. Each is stored as an attempt,
 * without headers and bodies if its event was erased meanwhile. A success completes the delivery even if another
 * process holds it. What is older than retention is dropped.
 */
const lateText = `${results},
stored as materialized (
  select r.*, d.event_id, v.erased_at is not null as erased
  from result r
  cross join lateral (
    select event_id from delivery where account_id = r.account_id and id = r.delivery_id limit 1
  ) d
  cross join lateral (
    select erased_at from event where account_id = r.account_id and id = d.event_id limit 1
  ) v
),
logged as (
  insert into attempt (${attemptColumns})
  select ${attemptValues(`case when erased then null else response_headers end,
    case when erased then null else response_body end, case when erased then null else request end`)}
  from stored where attempts > 0
),
queued as materialized (
  select s.n, s.account_id, s.delivery_id, q.claim, s.success and not s.erased as completes
  from stored s
  left join lateral (
    select claim from queue where account_id = s.account_id and delivery_id = s.delivery_id
    limit 1
    for update
  ) q on true
),
done as (
  delete from queue q using queued r where ${isInQueue} and r.completes
),
counted as (
  update queue q set attempt_count = q.attempt_count + r.attempts
  from stored r join queued using (n) where ${isInQueue} and not completes
),
moved as (
  update delivery d set
    attempt_count = d.attempt_count + r.attempts,
    state = case when completes then 'delivered' else d.state end,
    reason = case when completes then null else d.reason end,
    delivered_at = case when completes then coalesce(d.delivered_at, now()) else d.delivered_at end,
    last_error_code = case when completes then null else d.last_error_code end,
    last_attempt_at = case when completes then now() else d.last_attempt_at end,
    claim = case when completes then greatest(d.claim, queued_claim) else d.claim end
  from (
    select stored.*, queued.completes, queued.claim as queued_claim from stored join queued using (n)
  ) r
  where ${isThatDelivery}
)
select count(*)::int as stored from stored`

/**
 * Statements for results that change nothing at their endpoints, and for those that do. They name the partition of the
 * deliveries' day: what goes to a partitioned table prepares all partitions for each statement, which takes a millisecond for
 * each sixty days. Deliveries of several days go to the tables themselves.
 */
export const settleStatements = oncePerDay(
  (ofDay): Record<'usual' | 'withEndpoints', PreparedStatement> => ({
    usual: { name: `settle${ofDay}`, text: settleText(ofDay, '') },
    withEndpoints: { name: `settle_with_endpoints${ofDay}`, text: settleText(ofDay, settleEndpoints(28)) },
  }),
)

/** Locks the events of late results, as everybody does first who changes a delivery without holding it. */
export const lockLateStatement: PreparedStatement = {
  name: 'lock_late',
  text: `
select from unnest($1::uuid[], $2::uuid[]) as r (account_id, id)
cross join lateral (
  select from event v where v.account_id = r.account_id and v.id = r.id limit 1 for update
) v`,
}

export const lateStatement: PreparedStatement = { name: 'settle_late', text: lateText }

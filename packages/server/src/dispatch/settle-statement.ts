import type { PreparedStatement } from '../db/database.ts'
import { oncePerDay } from '../domain/partition-day.ts'
import { settleEndpoints } from './settle-endpoints.ts'

/**
 * The equality of two keys, said so that no hash can be made of it: only an index answers it. The plan of the statement
 * is made once, often while the tables are empty, and for empty tables a hash join is cheaper; it would read the whole
 * day's deliveries for each statement, until somebody analyses the table.
 */
const isThatDelivery = 'd.account_id = r.account_id and d.id >= r.delivery_id and d.id <= r.delivery_id'

/**
 * What is written of results that are not late. Its parameters are arrays, one for each column (`settleValues`). Only
 * those of text are unnested, which costs as much for each element as looking ten of them up by their place.
 */
const results = (ofDay: string): string => `
with result as materialized (
  select r.*, ($1::uuid[])[n] as account_id, ($2::uuid[])[n] as delivery_id, ($3::int[])[n] as claim,
    ($4::int[])[n] as attempts, ($5::delivery_state[])[n] as state, ($6::int[])[n] as retries_used,
    nullif(($7::float8[])[n], -1) as due_in_ms, ($8::attempt_trigger[])[n] as next_trigger, ($9::bool[])[n] as success
  from (
    select t.*, place::int as n
    from unnest($20::text[], $21::text[], $22::text[], $23::text[], $24::text[], $25::text[], $26::text[], $27::text[])
      with ordinality as t (reason, error_code, error_message, response_headers, response_body, verified_by, request,
        hold, place)
  ) r
),
logged as (
  insert into attempt${ofDay} (account_id, delivery_id, id, number, trigger, duration_ms, dns_ms, connect_ms, tls_ms,
    first_byte_ms, status_code, process, error_code, error_message, response_headers, response_body, verified_by, request,
    gave_up)
  select account_id, delivery_id, ($10::uuid[])[n], ($11::int[])[n], ($12::attempt_trigger[])[n], ($13::real[])[n],
    nullif(($14::real[])[n], -1), nullif(($15::real[])[n], -1), nullif(($16::real[])[n], -1),
    nullif(($17::real[])[n], -1), nullif(($18::smallint[])[n], -1), ($19::int[])[n], error_code, error_message,
    response_headers, response_body, verified_by, request, nullif(state = 'exhausted', false)
  from result where attempts > 0
),
kept as materialized (
  select id from hold where id = any (array(select r.hold::uuid from result r where r.hold is not null))
  order by id
  for key share
),
-- One index lookup for each result: the limit forces it, and no other index knows an account. The condition on n is always
-- true, and taken for rare: with one row expected here, nothing that follows is joined by reading a table.
held as materialized (
  select r.account_id, r.delivery_id, r.claim, r.attempts, r.state, r.reason, r.retries_used, r.due_in_ms, r.next_trigger,
    r.error_code, r.success, t.place, t.endpoint_id, t.event_id, t.sequence, t.attempt_count, t.was_delivered,
    greatest(t.claim, r.claim) as last_claim, r.due_in_ms is not null and not r.success as goes_on
  from result r cross join lateral (
    select t.ctid as place, t.* from taken t
    where t.account_id = r.account_id and t.delivery_id = r.delivery_id and (t.claim = r.claim or r.success)
    limit 1
    for update
  ) t
  -- holds before what is held alone, as whoever dissolves them does
  where r.n = r.n + 0 and (select count(*) from kept) >= 0
  union all
  select r.account_id, r.delivery_id, r.claim, r.attempts, r.state, r.reason, r.retries_used, r.due_in_ms, r.next_trigger,
    r.error_code, r.success, null, d.endpoint_id, d.event_id, d.sequence, 0, false, r.claim,
    r.due_in_ms is not null and not r.success
  from result r
  cross join lateral (
    select d.endpoint_id, d.event_id, d.sequence from delivery${ofDay} d
    where d.account_id = r.account_id and d.id = r.delivery_id and d.claim = 0
    limit 1
  ) d
  where r.n = r.n + 0 and r.hold::uuid = any (array(select id from kept))
),
let_go as (
  delete from taken where ctid = any (array(select place from held))
),
emptied as (
  delete from hold where id = any ($28::uuid[]) and timeline = wal_timeline()
),
again as (
  insert into waiting (account_id, delivery_id, endpoint_id, event_id, due_at, sequence, claim, attempt_count,
    retries_used, trigger, was_delivered)
  select account_id, delivery_id, endpoint_id, event_id, now() + due_in_ms * interval '1 millisecond', sequence, claim,
    attempt_count + attempts, retries_used, next_trigger, was_delivered
  from held where goes_on
  on conflict (account_id, delivery_id) do nothing
),
-- no indexed column changes unless it is given up, so this stays on the page where the delivery was written
moved as (
  update delivery${ofDay} d set
    state = r.state,
    reason = r.reason,
    attempt_count = d.attempt_count + r.attempts,
    retries_used = r.retries_used,
    claim = greatest(d.claim, r.last_claim),
    last_error_code = case when r.attempts > 0 then r.error_code else d.last_error_code end,
    last_attempt_at = case when r.attempts > 0 then now() else d.last_attempt_at end,
    delivered_at = case when r.success then coalesce(d.delivered_at, now()) else d.delivered_at end
  from held r
  where ${isThatDelivery}
)`

/** Results of deliveries that are somebody else's by now, or nobody's: hardly ever any. */
const lateResults = (ofDay: string): string => `,
late as materialized (
  select account_id, delivery_id from result except select account_id, delivery_id from held order by 2
),
-- its lease was over and it waits anew, although the receiver has it; waiting rows are locked before deliveries, as by
-- everybody who needs both
waits as materialized (
  select w.place
  from late join result r using (account_id, delivery_id)
  cross join lateral (
    select w.ctid as place from waiting w
    where w.account_id = late.account_id and w.delivery_id = late.delivery_id
    limit 1
    for update
  ) w
  where r.success
),
not_again as (
  delete from waiting where ctid = any (array(select place from waits))
),
moved_late as (
  update delivery${ofDay} d set
    state = case when r.success then r.state else d.state end,
    reason = case when r.success then r.reason else d.reason end,
    attempt_count = d.attempt_count + r.attempts,
    claim = greatest(d.claim, r.claim),
    delivered_at = case when r.success then coalesce(d.delivered_at, now()) else d.delivered_at end
  from late join result r using (account_id, delivery_id)
  where d.account_id = late.account_id and d.id = late.delivery_id and (select count(*) from waits) >= 0
)`

/** SQLSTATE with which a statement that is for results in time refuses all of them because one is late. */
export const lateResult = 'PH002'

const allInTime = `
select refuse_late_results() where (select count(*) from held) < (select count(*) from result)`

export interface SettleStatements {
  /** For results none of which is late: to prepare for one costs each settlement a tenth. */
  inTime: PreparedStatement
  /** For any. */
  any: PreparedStatement
}

/**
 * The statements for results that touch no endpoint, the usual ones, and those for all others. They write to the partitions
 * of the deliveries' day: what goes to a partitioned table looks up the partition for each row, and prepares all of them
 * for each statement, which takes a millisecond for each sixty days. Deliveries of several days go to the tables themselves.
 */
export const settleStatements = oncePerDay(
  (ofDay): Record<'usual' | 'withEndpoints', SettleStatements> => ({
    usual: {
      inTime: { name: `settle${ofDay}`, text: results(ofDay) + allInTime },
      any: { name: `settle_any${ofDay}`, text: `${results(ofDay)}${lateResults(ofDay)} select` },
    },
    withEndpoints: {
      inTime: {
        name: `settle_with_endpoints${ofDay}`,
        text: results(ofDay) + settleEndpoints(29) + allInTime,
      },
      any: {
        name: `settle_any_with_endpoints${ofDay}`,
        text: `${results(ofDay)}${lateResults(ofDay)}${settleEndpoints(29)} select`,
      },
    },
  }),
)

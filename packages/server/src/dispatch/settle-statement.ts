import type { PreparedStatement } from '../db/database.ts'
import { oncePerDay } from '../domain/partition-day.ts'

/**
 * The equality of two keys, said so that no hash can be made of it: only an index answers it. The plan of the statement
 * is made once, often while the tables are empty, and for empty tables a hash join is cheaper; it would read the whole
 * day's deliveries for each statement, until somebody analyses the table. Both of its keys are said, because until then
 * either index may be taken: the one by endpoint and sequence would be read through for the whole account, for each result.
 */
const isThatDelivery = `d.account_id = r.account_id and d.id >= r.delivery_id and d.id <= r.delivery_id
    and d.endpoint_id = r.endpoint_id and d.sequence >= r.sequence and d.sequence <= r.sequence`

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
    from unnest($20::text[], $21::text[], $22::text[], $23::text[], $24::text[], $25::text[], $26::text[])
      with ordinality as t (reason, error_code, error_message, response_headers, response_body, verified_by, request, place)
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
  where r.n = r.n + 0
),
let_go as (
  delete from taken where ctid = any (array(select place from held))
),
again as (
  insert into waiting (account_id, delivery_id, endpoint_id, event_id, due_at, sequence, claim, attempt_count,
    retries_used, trigger, was_delivered)
  select account_id, delivery_id, endpoint_id, event_id, now() + due_in_ms * interval '1 millisecond', sequence, claim,
    attempt_count + attempts, retries_used, next_trigger, was_delivered
  from held where goes_on
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
  select account_id, delivery_id from result except select account_id, delivery_id from held
),
moved_late as (
  update delivery${ofDay} d set
    state = case when r.success then r.state else d.state end,
    reason = case when r.success then r.reason else d.reason end,
    attempt_count = d.attempt_count + r.attempts,
    claim = greatest(d.claim, r.claim),
    delivered_at = case when r.success then coalesce(d.delivered_at, now()) else d.delivered_at end
  from late join result r using (account_id, delivery_id)
  where d.account_id = late.account_id and d.id = late.delivery_id
),
-- its lease was over and it waits anew, although the receiver has it
not_again as (
  delete from waiting where ctid = any (array(
    select w.place
    from late join result r using (account_id, delivery_id)
    cross join lateral (
      select w.ctid as place from waiting w
      where w.account_id = late.account_id and w.delivery_id = late.delivery_id
      limit 1
    ) w
    where r.success
  ))
)`

/** What changes at endpoints that do not simply stay well, and at keys that receivers have verified. */
const endpoints = `,
health as (
  update endpoint e set
    failures_in_row = case when h.recovered then h.failures else e.failures_in_row + h.failures end,
    failing_since = case when h.recovered and h.failures = 0 then null
                         when h.recovered then now() else coalesce(e.failing_since, now()) end,
    exhausted_since = case when h.exhausted and h.recovered then now()
                           when h.exhausted then coalesce(e.exhausted_since, now())
                           when h.recovered then null else e.exhausted_since end,
    status = case when h.gone then 'disabled' else e.status end,
    disabled_reason = case when h.gone and e.status = 'enabled' then 'gone' else e.disabled_reason end,
    version = e.version + h.gone::int,
    last_error_code = h.error_code,
    -- of another version it may be the certificate of another server
    certificate_expires_at = case when h.version = e.version
      then coalesce(to_timestamp(h.certificate_ms / 1000), e.certificate_expires_at) else e.certificate_expires_at end,
    updated_at = case when h.gone then now() else e.updated_at end
  from (
    select * from unnest($27::uuid[], $28::uuid[], $29::bool[], $30::int[], $31::bool[], $32::bool[], $33::text[],
      $34::float8[], $35::bigint[])
      as h (account_id, endpoint_id, recovered, failures, gone, exhausted, error_code, certificate_ms, version)
  ) h
  where e.account_id = h.account_id and e.id = h.endpoint_id
  returning 1
),
verified as (
  update signing_key k set verified_count = k.verified_count + v.times, last_verified_at = now()
  from unnest($36::uuid[], $37::uuid[], $38::uuid[], $39::int[]) as v (account_id, endpoint_id, key_id, times)
  where k.account_id = v.account_id and k.endpoint_id = v.endpoint_id and k.id = v.key_id
    -- endpoints before their keys, in the order in which a promotion locks them
    and (select count(*) from health) >= 0
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
      inTime: { name: `settle_with_endpoints${ofDay}`, text: results(ofDay) + endpoints + allInTime },
      any: {
        name: `settle_any_with_endpoints${ofDay}`,
        text: `${results(ofDay)}${lateResults(ofDay)}${endpoints} select`,
      },
    },
  }),
)

import { nullableArray, plainArray } from '../db/array-literal.ts'
import {
  float4Array,
  float8Array,
  int2Array,
  int4Array,
  int8Array,
  textArray,
  uuidArray,
} from '../db/binary-array.ts'
import type { PreparedStatement } from '../db/database.ts'
import { oncePerDay } from '../domain/partition-day.ts'
import type { Settlement } from './settle.ts'
import { settleEndpoints } from './settle-endpoints.ts'

/** The parameters (`settleValues`) as one row for each result. Only arrays of text are unnested, because that is slow. */
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

/** The parameters $1 to $27, one array for each column. Arrays of text may contain null; the others contain `missing`. */
export function settleValues(rows: readonly Settlement[]): Array<string | Buffer> {
  const exchanges = rows.map(({ attempt }) => attempt?.exchange)
  return [
    uuidArray(rows.map(({ delivery }) => delivery.accountId)),
    uuidArray(rows.map(({ delivery }) => delivery.deliveryId)),
    int8Array(rows.map(({ delivery }) => BigInt(delivery.process))),
    int4Array(rows.map(({ delivery }) => delivery.claim)),
    int4Array(rows.map(({ attempt }) => (attempt === null ? 0 : 1))),
    plainArray(rows.map(({ verdict }) => verdict.state)),
    int4Array(rows.map(({ verdict }) => verdict.retriesUsed)),
    float8Array(rows.map(({ verdict }) => verdict.dueInMs ?? missing)),
    plainArray(rows.map(({ verdict }) => verdict.nextTrigger)),
    plainArray(exchanges.map(exchange => (exchange?.outcome === 'success' ? 't' : 'f'))),
    uuidArray(rows.map(({ delivery, attempt }) => attempt?.id ?? delivery.deliveryId)),
    int4Array(rows.map(({ delivery }) => delivery.attemptCount + 1)),
    plainArray(rows.map(({ delivery }) => delivery.trigger)),
    float4Array(exchanges.map(exchange => rounded(exchange?.durationMs))),
    float4Array(exchanges.map(exchange => rounded(exchange?.phases.dnsMs))),
    float4Array(exchanges.map(exchange => rounded(exchange?.phases.connectMs))),
    float4Array(exchanges.map(exchange => rounded(exchange?.phases.tlsMs))),
    float4Array(exchanges.map(exchange => rounded(exchange?.phases.firstByteMs))),
    int2Array(exchanges.map(exchange => exchange?.statusCode ?? missing)),
    int4Array(rows.map(({ attempt }) => attempt?.processNumber ?? missing)),
    nullableArray(rows.map(({ verdict }) => verdict.reason)),
    nullableArray(exchanges.map(exchange => exchange?.error?.code ?? null)),
    textArray(exchanges.map(exchange => exchange?.error?.message ?? null)),
    textArray(exchanges.map(exchange => headerLines(exchange?.responseHeaders ?? null))),
    textArray(exchanges.map(exchange => exchange?.responseBody ?? null)),
    textArray(exchanges.map(exchange => exchange?.verifiedParts ?? null)),
    textArray(rows.map(({ attempt }) => attempt?.request ?? null)),
  ]
}

/** Instead of null, because PostgreSQL finds an element of an array without nulls faster. */
const missing = -1

function rounded(ms: number | null | undefined): number {
  return ms === null || ms === undefined ? missing : Math.round(ms * 100) / 100
}

/** Headers are stored as lines `name: value`, which are shorter than JSON and need no escaping. */
function headerLines(headers: Readonly<Record<string, string>> | null): string | null {
  if (headers === null) return null
  let lines = ''
  for (const name in headers) lines += `${name}: ${headers[name]}\n`
  return lines
}

const attemptColumns = `account_id, delivery_id, id, number, trigger, duration_ms, dns_ms, connect_ms, tls_ms, first_byte_ms,
    status_code, process, error_code, error_message, verified_by, gave_up, response_headers, response_body, request`

/** Their values in a row of `result`. @param answer the last three, which an erasure removes */
const attemptValues = (answer: string): string => `account_id, delivery_id, ($11::uuid[])[n], ($12::int[])[n],
    ($13::attempt_trigger[])[n], ($14::real[])[n], nullif(($15::real[])[n], -1), nullif(($16::real[])[n], -1),
    nullif(($17::real[])[n], -1), nullif(($18::real[])[n], -1), nullif(($19::smallint[])[n], -1), ($20::int[])[n],
    error_code, error_message, verified_by, nullif(state = 'exhausted', false), ${answer}`

/**
 * The equality of two keys, written so that only an index can answer it. PostgreSQL keeps the plan that it makes while the
 * tables are empty, and would choose a hash join, which reads the whole table.
 */
const isThatDelivery = 'd.account_id = r.account_id and d.id >= r.delivery_id and d.id <= r.delivery_id'
export const isInQueue =
  'q.account_id = r.account_id and q.delivery_id >= r.delivery_id and q.delivery_id <= r.delivery_id'

/** The fence, written so that the index on `process` cannot answer it: that would read all that the process holds. */
export const isSameClaim = 'process is not distinct from r.process and claim = r.claim'

/** Writes the results of deliveries that this process still holds under the same claim; returns the others, which are late. */
const settleText = (ofDay: string, endpoints: string): string => `${results},
-- a lease cannot end while its results are written
alive as materialized (
  select number from process where number = any ($3::bigint[]) order by number for key share
),
-- The limit forces one index lookup for each result. The condition on n is always true, but PostgreSQL expects one row from
-- it and therefore joins what follows by index.
held as materialized (
  select r.*, q.endpoint_id, q.attempt_count, e.deleted
  from result r
  cross join lateral (
    select endpoint_id, attempt_count from queue
    where account_id = r.account_id and delivery_id = r.delivery_id
      and ${isSameClaim}
    limit 1
    for update
  ) q
  -- a failed delivery is not retried if its endpoint was deleted meanwhile
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
-- by key, because a row that was changed while this statement waited for its lock has another ctid
done as (
  delete from queue q using decided r where ${isInQueue} and r.due_in_ms is null
),
again as (
  update queue q set process = null, due_at = now() + r.due_in_ms * interval '1 millisecond', lost_claims = 0,
    attempt_count = r.attempt_count, retries_used = r.retries_used, trigger = r.next_trigger
  from decided r where ${isInQueue} and r.due_in_ms is not null
),
-- no indexed column changes unless the delivery is exhausted, so the update is HOT
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
 * Writes results that came too late: another process holds the delivery, or it is finished. Each is stored as an attempt,
 * without headers and bodies if its event was erased. A success completes the delivery in any case. Results whose partition was
 * dropped are ignored.
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
 * deliveries' day, because a statement on the partitioned table opens every partition. Deliveries of several days need that.
 */
export const settleStatements = oncePerDay(
  (ofDay): Record<'usual' | 'withEndpoints', PreparedStatement> => ({
    usual: { name: `settle${ofDay}`, text: settleText(ofDay, '') },
    withEndpoints: { name: `settle_with_endpoints${ofDay}`, text: settleText(ofDay, settleEndpoints) },
  }),
)

/** Locks the events of late results first, like every statement that changes deliveries it does not hold. */
export const lockLateStatement: PreparedStatement = {
  name: 'lock_late',
  text: `
select from unnest($1::uuid[], $2::uuid[]) as r (account_id, id)
cross join lateral (
  select from event v where v.account_id = r.account_id and v.id = r.id limit 1 for update
) v`,
}

export const lateStatement: PreparedStatement = { name: 'settle_late', text: lateText }

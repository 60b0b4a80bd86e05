import { nullableArray, plainArray, textArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import type { Verdict } from '../domain/decide-attempt.ts'
import type { TakenDelivery } from '../domain/taken-delivery.ts'
import type { Exchange } from '../egress/egress.ts'
import { endpointChanges } from './endpoint-changes.ts'

/** One delivery that this process is done with, for now or for good. */
export interface Settlement {
  taken: TakenDelivery
  verdict: Verdict
  /** Null when it was given up without an attempt. */
  attempt: Attempt | null
}

export interface Attempt {
  /** UUIDv7 of the moment at which it started. */
  id: string
  /** The number under which its process counts it. */
  processNumber: number
  /** What was sent besides the body, in the short form of `requestRecord`; null when nothing was. */
  request: string | null
  exchange: Exchange
  /** Signing keys whose signature the receiver says it verified. */
  verifiedKeyIds: readonly string[]
  /** Until when the receiver's certificate is good, if that is not what is stored already. */
  newCertificateExpiresAtMs: number | null
  /** Earlier attempts at the endpoint failed, as far as this process knows: a success ends that. */
  endpointWasFailing: boolean
}

/**
 * Writes what became of many deliveries in one statement: the attempts, the deliveries' new states, and what goes on
 * waiting. A result counts only while the waiting row still bears the claim it was taken with; a success counts
 * always, because the receiver has the event. An attempt is recorded in every case.
 *
 * Rows are touched in key order. Should two processes still dead-lock over a delivery that both think is theirs,
 * one of them is told so, and tries again.
 */
export async function settle(db: Queryable, settlements: readonly Settlement[]): Promise<void> {
  const rows = [...settlements].sort((a, b) => (a.taken.deliveryId < b.taken.deliveryId ? -1 : 1))
  const attempts = rows.flatMap(({ taken, verdict, attempt }) =>
    attempt === null ? [] : [{ taken, verdict, ...attempt }],
  )
  const changes = endpointChanges(settlements)
  await db.query(settleStatement, [
    plainArray(rows.map(({ taken }) => taken.accountId)),
    plainArray(rows.map(({ taken }) => taken.deliveryId)),
    plainArray(rows.map(({ taken }) => taken.claim)),
    plainArray(rows.map(({ attempt }) => (attempt === null ? 0 : 1))),
    plainArray(rows.map(({ verdict }) => verdict.state)),
    nullableArray(rows.map(({ verdict }) => verdict.reason)),
    plainArray(rows.map(({ verdict }) => verdict.retriesUsed)),
    nullableArray(rows.map(({ verdict }) => verdict.dueInMs)),
    plainArray(rows.map(({ verdict }) => verdict.nextTrigger)),
    nullableArray(rows.map(({ attempt }) => attempt?.exchange.error?.code ?? null)),
    plainArray(rows.map(({ attempt }) => (attempt?.exchange.outcome === 'success' ? 't' : 'f'))),
    plainArray(attempts.map(({ taken }) => taken.accountId)),
    plainArray(attempts.map(({ taken }) => taken.deliveryId)),
    plainArray(attempts.map(({ id }) => id)),
    plainArray(attempts.map(({ taken }) => taken.attemptCount + 1)),
    plainArray(attempts.map(({ taken }) => taken.trigger)),
    nullableArray(attempts.map(({ exchange }) => rounded(exchange.durationMs))),
    nullableArray(attempts.map(({ exchange }) => rounded(exchange.phases.dnsMs))),
    nullableArray(attempts.map(({ exchange }) => rounded(exchange.phases.connectMs))),
    nullableArray(attempts.map(({ exchange }) => rounded(exchange.phases.tlsMs))),
    nullableArray(attempts.map(({ exchange }) => rounded(exchange.phases.firstByteMs))),
    nullableArray(attempts.map(({ exchange }) => exchange.statusCode)),
    nullableArray(attempts.map(({ exchange }) => exchange.error?.code ?? null)),
    textArray(attempts.map(({ exchange }) => exchange.error?.message ?? null)),
    textArray(attempts.map(({ exchange }) => headerLines(exchange.responseHeaders))),
    textArray(attempts.map(({ exchange }) => exchange.responseBody)),
    textArray(attempts.map(({ exchange }) => exchange.verifiedParts)),
    ...changes,
    plainArray(attempts.map(({ processNumber }) => processNumber)),
    textArray(attempts.map(({ request }) => request)),
    nullableArray(attempts.map(({ verdict }) => (verdict.state === 'exhausted' ? 't' : null))),
  ])
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 100) / 100
}

/** Stored as lines, `name: value`: shorter than JSON, and nothing to escape. */
function headerLines(headers: Record<string, string> | null): string | null {
  if (headers === null) return null
  let lines = ''
  for (const name in headers) lines += `${name}: ${headers[name]}\n`
  return lines
}

/**
 * The equality of two keys, said so that no hash can be made of it: only an index answers it. The plan of the statement
 * is made once, often while the tables are empty, and for empty tables a hash join is cheaper; it would read the whole
 * day's deliveries for each statement, until somebody analyses the table.
 */
const isThatDelivery = `d.account_id = r.account_id and d.id >= r.delivery_id and d.id <= r.delivery_id`

const settleStatement = {
  name: 'settle',
  text: `
with result as materialized (
  select r.* from unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[], $5::delivery_state[], $6::text[], $7::int[],
    $8::float8[], $9::attempt_trigger[], $10::text[], $11::bool[])
    with ordinality as r (account_id, delivery_id, claim, attempts, state, reason, retries_used, due_in_ms,
      next_trigger, error_code, success, n)
),
logged as (
  insert into attempt (account_id, delivery_id, id, number, trigger, duration_ms, dns_ms, connect_ms, tls_ms,
    first_byte_ms, status_code, error_code, error_message, response_headers, response_body, verified_by, process, request,
    gave_up)
  select * from unnest($12::uuid[], $13::uuid[], $14::uuid[], $15::int[], $16::attempt_trigger[], $17::real[],
    $18::real[], $19::real[], $20::real[], $21::real[], $22::smallint[], $23::text[], $24::text[], $25::text[],
    $26::text[], $27::text[], $41::int[], $42::text[], $43::bool[])
),
-- One index lookup for each result: the limit forces it. The condition on n is always true, and taken for rare: with
-- one row expected here, nothing that follows is joined by reading a table.
held as materialized (
  select r.*, w.place, w.endpoint_id, w.event_id, w.sequence, w.attempt_count, w.was_delivered,
    greatest(w.claim, r.claim) as last_claim, r.due_in_ms is not null and not r.success as goes_on
  from result r cross join lateral (
    select w.ctid as place, w.* from waiting w
    where w.account_id = r.account_id and w.delivery_id = r.delivery_id and (w.claim = r.claim or r.success)
    limit 1
    for update
  ) w
  where r.n = r.n + 0
),
gone as (
  delete from waiting where ctid = any (array(select place from held)) returning 1
),
-- what goes on waiting is written anew, as an update would: its due time is indexed
again as (
  insert into waiting (account_id, delivery_id, endpoint_id, event_id, due_at, sequence, claim, attempt_count,
    retries_used, trigger, was_delivered)
  select account_id, delivery_id, endpoint_id, event_id, now() + due_in_ms * interval '1 millisecond', sequence, claim,
    attempt_count + attempts, retries_used, next_trigger, was_delivered
  from held where goes_on and (select count(*) from gone) >= 0
),
-- no indexed column changes unless it is given up, so this stays on the page where the delivery was written
moved as (
  update delivery d set
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
),
-- results of deliveries that are somebody else's by now, or nobody's: hardly ever any
late as materialized (
  select account_id, delivery_id from result
  except select account_id, delivery_id from held
),
moved_late as (
  update delivery d set
    state = case when r.success then r.state else d.state end,
    reason = case when r.success then r.reason else d.reason end,
    attempt_count = d.attempt_count + r.attempts,
    claim = greatest(d.claim, r.claim),
    delivered_at = case when r.success then coalesce(d.delivered_at, now()) else d.delivered_at end
  from late join result r using (account_id, delivery_id)
  where d.account_id = late.account_id and d.id = late.delivery_id
),
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
    select * from unnest($28::uuid[], $29::uuid[], $30::bool[], $31::int[], $32::bool[], $33::bool[], $34::text[],
      $35::float8[], $36::bigint[])
      as h (account_id, endpoint_id, recovered, failures, gone, exhausted, error_code, certificate_ms, version)
  ) h
  where e.account_id = h.account_id and e.id = h.endpoint_id
  returning 1
)
update signing_key k set verified_count = k.verified_count + v.times, last_verified_at = now()
from unnest($37::uuid[], $38::uuid[], $39::uuid[], $40::int[]) as v (account_id, endpoint_id, key_id, times)
where k.account_id = v.account_id and k.endpoint_id = v.endpoint_id and k.id = v.key_id
  -- endpoints before their keys, in the order in which a promotion locks them
  and (select count(*) from health) >= 0`,
}

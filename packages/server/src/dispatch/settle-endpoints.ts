/**
 * What results change at endpoints that do not simply stay well, and at keys that receivers have verified: parts of the
 * statement that settles them. Their parameters (`endpointChanges`) begin with number `first`.
 */
export function settleEndpoints(first: number): string {
  const p = (nth: number): string => `$${first + nth}`
  return `,
locked as materialized (
  select from endpoint
  where (account_id, id) in (select * from unnest(${p(0)}::uuid[], ${p(1)}::uuid[]))
  order by account_id, id
  for no key update
),
health as (
  update endpoint e set
    failures_in_row = case when h.recovered then h.failures else e.failures_in_row + h.failures end,
    failing_since = case when h.recovered and h.failures = 0 then null
                         when h.recovered then now() else coalesce(e.failing_since, now()) end,
    exhausted_since = case when h.exhausted and h.recovered then now()
                           when h.exhausted then coalesce(e.exhausted_since, now())
                           when h.recovered then null else e.exhausted_since end,
    -- an answer to another version may be of another URL
    status = case when h.gone and h.version = e.version then 'disabled' else e.status end,
    disabled_reason = case when h.gone and h.version = e.version and e.status = 'enabled' then 'gone' else e.disabled_reason end,
    version = e.version + (h.gone and h.version = e.version)::int,
    -- what was under way when the first 410 came may be answered so too: all of it is one count
    gone_deliveries = case when h.gone and h.version = e.version and e.status = 'enabled' then h.gave_up
                           when e.status = 'disabled' then e.gone_deliveries + h.gave_up else e.gone_deliveries end,
    last_error_code = h.error_code,
    -- of another version it may be the certificate of another server
    certificate_expires_at = case when h.version = e.version
      then coalesce(to_timestamp(h.certificate_ms / 1000), e.certificate_expires_at) else e.certificate_expires_at end,
    updated_at = case when h.gone and h.version = e.version then now() else e.updated_at end
  from (
    select * from unnest(${p(0)}::uuid[], ${p(1)}::uuid[], ${p(2)}::bool[], ${p(3)}::int[], ${p(4)}::bool[], ${p(5)}::int[], ${p(6)}::bool[], ${p(7)}::text[],
      ${p(8)}::float8[], ${p(9)}::bigint[])
      as h (account_id, endpoint_id, recovered, failures, gone, gave_up, exhausted, error_code, certificate_ms, version)
  ) h
  where e.account_id = h.account_id and e.id = h.endpoint_id and (select count(*) from locked) >= 0
  returning 1
),
verified as (
  update signing_key k set verified_count = k.verified_count + v.times, last_verified_at = now()
  from unnest(${p(10)}::uuid[], ${p(11)}::uuid[], ${p(12)}::uuid[], ${p(13)}::int[]) as v (account_id, endpoint_id, key_id, times)
  where k.account_id = v.account_id and k.endpoint_id = v.endpoint_id and k.id = v.key_id
    -- endpoints before their keys, in the order in which a promotion locks them
    and (select count(*) from health) >= 0
)`
}

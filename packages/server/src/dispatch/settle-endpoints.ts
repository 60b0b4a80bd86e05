import { nullableArray, plainColumns } from '../db/array-literal.ts'
import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'
import type { Settlement } from './settle.ts'

/**
 * The part of the settle statement that updates the health of endpoints and the keys that receivers verified. Its parameters
 * (`endpointChanges`) start with $28.
 */
export const settleEndpoints = `,
locked as materialized (
  select from endpoint
  where (account_id, id) in (select * from unnest($28::uuid[], $29::uuid[]))
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
    -- an answer to another version may come from another URL
    status = case when h.gone and h.version = e.version then 'disabled' else e.status end,
    disabled_reason = case when h.gone and h.version = e.version and e.status = 'enabled' then 'gone' else e.disabled_reason end,
    version = e.version + (h.gone and h.version = e.version)::int,
    -- attempts that were in flight at the first 410 may end with 410 too, and count together
    gone_deliveries = case when h.gave_up > 0 and h.version = e.version and e.status = 'enabled' then h.gave_up
                           else e.gone_deliveries + h.gave_up end,
    gone_since = case when h.gave_up > 0 and h.version = e.version and e.status = 'enabled' then to_timestamp(h.gone_ms / 1000)
                      else least(e.gone_since, to_timestamp(h.gone_ms / 1000)) end,
    last_error_code = h.error_code,
    certificate_expires_at = case when h.version = e.version
      then coalesce(to_timestamp(h.certificate_ms / 1000), e.certificate_expires_at) else e.certificate_expires_at end,
    updated_at = case when h.gone and h.version = e.version then now() else e.updated_at end
  from (
    select * from unnest($28::uuid[], $29::uuid[], $30::bool[], $31::int[], $32::bool[], $33::int[], $34::bool[], $35::text[],
      $36::float8[], $37::bigint[], $38::float8[])
      as h (account_id, endpoint_id, recovered, failures, gone, gave_up, exhausted, error_code, certificate_ms, version, gone_ms)
  ) h
  where e.account_id = h.account_id and e.id = h.endpoint_id and (select count(*) from locked) >= 0
  returning 1
),
verified as (
  update signing_key k set verified_count = k.verified_count + v.times, last_verified_at = now()
  from unnest($39::uuid[], $40::uuid[], $41::uuid[], $42::int[]) as v (account_id, endpoint_id, key_id, times)
  where k.account_id = v.account_id and k.endpoint_id = v.endpoint_id and k.id = v.key_id
    -- locks endpoints before their keys, like a promotion
    and (select count(*) from health) >= 0
)`

/**
 * The parameters of `settleEndpoints` for a batch of results, in key order; null if no endpoint or key changes. An endpoint that
 * stays healthy does not change, so that settle does not wait for the locks of accept.
 */
export function endpointChanges(settlements: readonly Settlement[]): string[] | null {
  const health = [...healthOf(settlements).values()].filter(one => one.changed).sort(inKeyOrder)
  const verified = [...verifiedBy(settlements).values()].sort(inKeyOrder)
  if (health.length === 0 && verified.length === 0) return null
  return [
    ...plainColumns(health, 'accountId', 'endpointId', 'recovered', 'failures'),
    ...plainColumns(health, 'gone', 'gaveUp', 'exhausted'),
    nullableArray(health.map(one => one.errorCode)),
    nullableArray(health.map(one => one.certificateExpiresAtMs)),
    ...plainColumns(health, 'version'),
    nullableArray(health.map(one => one.goneSinceMs)),
    ...plainColumns(verified, 'accountId', 'endpointId', 'keyId', 'times'),
  ]
}

type Health = ReturnType<typeof unchanged>

function unchanged({ accountId, endpointId }: LeasedDelivery) {
  return {
    accountId,
    endpointId,
    /** An attempt succeeded, which ends earlier failures. */
    recovered: false,
    /** Failures since the success, or in addition to earlier ones. */
    failures: 0,
    gone: false,
    /** Deliveries that were given up because the endpoint is gone, without test events, which nobody misses. */
    gaveUp: 0,
    /** When the oldest of them was created. */
    goneSinceMs: null as number | null,
    /** A delivery has used up its retries since the last success. */
    exhausted: false,
    /** Why the last attempt failed; null if it succeeded. */
    errorCode: null as string | null,
    /** Only if it differs from what is stored. */
    certificateExpiresAtMs: null as number | null,
    /** The newest version of the endpoint among the attempts; `gone` and the certificate are from attempts at this version. */
    version: 0,
    changed: false,
  }
}

function healthOf(settlements: readonly Settlement[]): Map<string, Health> {
  const byId = new Map<string, Health>()
  for (const { delivery, verdict, attempt } of settlements) {
    if (attempt === null || attempt.exchange.error?.code === 'aborted_by_shutdown') continue
    const health = byId.get(delivery.endpointId) ?? unchanged(delivery)
    byId.set(delivery.endpointId, health)
    if (delivery.endpointVersion > health.version)
      Object.assign(health, { version: delivery.endpointVersion, gone: false, certificateExpiresAtMs: null })
    const isNewest = delivery.endpointVersion === health.version
    if (attempt.newCertificateExpiresAtMs !== null && isNewest) {
      health.certificateExpiresAtMs = attempt.newCertificateExpiresAtMs
      health.changed = true
    }
    if (attempt.exchange.outcome === 'success') {
      health.changed ||= health.failures > 0 || attempt.endpointWasFailing || delivery.endpointFailing
      health.recovered = true
      health.failures = 0
      health.exhausted = false
      health.errorCode = null
    } else {
      health.failures++
      health.gone ||= verdict.ifEndpointChanged !== null && isNewest
      if (verdict.reason === 'endpoint_gone' && !delivery.goesFirst) {
        health.gaveUp++
        health.goneSinceMs = Math.min(
          health.goneSinceMs ?? Number.POSITIVE_INFINITY,
          uuidV7Ms(delivery.deliveryId),
        )
      }
      health.exhausted ||= verdict.reason === 'retries_used'
      health.errorCode = attempt.exchange.error?.code ?? null
      health.changed = true
    }
  }
  return byId
}

interface Verified extends EndpointKey {
  keyId: string
  times: number
}

function verifiedBy(settlements: readonly Settlement[]): Map<string, Verified> {
  const byKey = new Map<string, Verified>()
  for (const { delivery, attempt } of settlements) {
    for (const keyId of attempt?.verifiedKeyIds ?? []) {
      const { accountId, endpointId } = delivery
      const verified = byKey.get(keyId) ?? { accountId, endpointId, keyId, times: 0 }
      verified.times++
      byKey.set(keyId, verified)
    }
  }
  return byKey
}

interface EndpointKey {
  accountId: string
  endpointId: string
  keyId?: string
}

/** The order in which accept locks endpoints and a promotion locks keys. */
function inKeyOrder(a: EndpointKey, b: EndpointKey): number {
  return textOf(a) < textOf(b) ? -1 : 1
}

function textOf({ accountId, endpointId, keyId = '' }: EndpointKey): string {
  return accountId + endpointId + keyId
}

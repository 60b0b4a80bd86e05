import type { AttemptErrorCode } from '@posthorn/contract'
import type { HealthFacts } from '../domain/endpoint-health.ts'

export interface HealthRow {
  account_id: string
  id: string
  url: string
  description: string
  status: HealthFacts['status']
  disabled_reason: HealthFacts['disabledReason']
  failures_in_row: number
  failing_since: Date | null
  last_error_code: AttemptErrorCode | null
  exhausted_since: Date | null
  warned_exhausted_at: Date | null
  warned_half_time_at: Date | null
  disabled_told_at: Date | null
  expired_deliveries: number
  gone_deliveries: number
  gone_since: Date | null
  certificate_expires_at: Date | null
  /** In PEM. */
  client_certificate: string | null
  rate_limit_per_second: number | null
  created_at: Date
  updated_at: Date
  /** By the database's clock, like all other times here. */
  now: Date
}

/** Columns of `endpoint e`. */
export const healthColumns = `e.account_id, e.id, e.url, e.description, e.status, e.disabled_reason, e.failures_in_row, e.failing_since,
  e.last_error_code, e.exhausted_since, e.warned_exhausted_at, e.warned_half_time_at, e.disabled_told_at, e.expired_deliveries, e.gone_deliveries, e.gone_since,
  e.certificate_expires_at, e.client_certificate, e.rate_limit_per_second, e.created_at, e.updated_at, clock_timestamp() as now`

export function factsOf(row: HealthRow): HealthFacts {
  return {
    status: row.status,
    disabledReason: row.disabled_reason,
    failuresInRow: row.failures_in_row,
    failingSinceMs: row.failing_since?.getTime() ?? null,
    exhaustedSinceMs: row.exhausted_since?.getTime() ?? null,
    warnedExhaustedAtMs: row.warned_exhausted_at?.getTime() ?? null,
    warnedHalfTimeAtMs: row.warned_half_time_at?.getTime() ?? null,
    disabledToldAtMs: row.disabled_told_at?.getTime() ?? null,
  }
}

import type { WebhookHealth } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { drainSeconds } from '../domain/drain-seconds.ts'
import { disablesAtMs, healthState } from '../domain/endpoint-health.ts'
import { typeId } from '../domain/type-id.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'
import { describeClientCertificate } from '../webhooks/read-client-certificate.ts'
import { healthWarnings } from './health-warnings.ts'
import type { EndpointFacts } from './read-health.ts'
import type { EndpointStatistics } from './read-statistics.ts'
import { completeUntilMs } from './read-traffic.ts'
import { factsOf } from './row.ts'

/** The health of an endpoint as the API shows it. */
export function toWebhookHealth(
  ctx: Pick<Ctx, 'settings'>,
  row: EndpointFacts,
  { traffic, latency, failures }: EndpointStatistics,
): WebhookHealth {
  const facts = factsOf(row)
  const nowMs = row.now.getTime()
  const oldestWaiting = oldestWaitingOf(row)
  const { usualPerDay, hours, lastHour, lastDay } = traffic
  const lastAttemptAtMs = row.last_attempt_at?.getTime() ?? null
  const lastSuccessAtMs = row.last_success_at?.getTime() ?? null
  return {
    webhook_id: typeId('wh', row.id),
    state: healthState({ ...facts, ...failures, lastAttemptAtMs, lastSuccessAtMs, usualPerDay }, nowMs),
    status: row.status,
    disabled_reason: row.disabled_reason,
    failures_in_row: row.failures_in_row,
    failing_since: isoOrNull(row.failing_since),
    last_error_code: row.last_error_code,
    disables_at: isoOrNull(disablesAtMs(facts, ctx.settings.disableAfterMs)),
    last_attempt_at: isoOrNull(row.last_attempt_at),
    last_success_at: isoOrNull(row.last_success_at),
    last_failure_at: isoOrNull(row.last_failure_at),
    usual_per_day: usualPerDay,
    hours: hours.map(({ atMs, delivered, failed }) => ({
      at: new Date(atMs).toISOString(),
      delivered,
      failed,
    })),
    last_hour: { until: new Date(completeUntilMs(nowMs)).toISOString(), ...lastHour },
    last_day: { ...lastDay, p50_ms: latency.p50Ms, p95_ms: latency.p95Ms },
    waiting_count: row.waiting,
    drain_seconds: drainSeconds(row.waiting, ctx.settings.drainPerSecond, row.rate_limit_per_second),
    oldest_waiting: oldestWaiting,
    last_due_at: row.status === 'disabled' ? null : isoOrNull(row.last_due_at),
    expired: row.expired_deliveries,
    ...goneOf(row, ctx.settings.retentionDays),
    certificate_expires_at: isoOrNull(row.certificate_expires_at),
    warnings: healthWarnings(
      {
        ...facts,
        nowMs,
        goneDeliveries: row.gone_deliveries,
        updatedAtMs: row.updated_at.getTime(),
        oldestWaitingMs: row.oldest_waiting_id === null ? null : uuidV7Ms(row.oldest_waiting_id),
        certificateExpiresAtMs: row.certificate_expires_at?.getTime() ?? null,
        clientCertificateExpiresAtMs: expiryOf(row.client_certificate),
      },
      ctx.settings,
    ),
  }
}

function oldestWaitingOf(row: EndpointFacts): WebhookHealth['oldest_waiting'] {
  const { oldest_waiting_id: id, oldest_waiting_event_id: eventId } = row
  if (id === null || eventId === null) return null
  return {
    delivery_id: typeId('dlv', id),
    event_id: typeId('evt', eventId),
    since: new Date(uuidV7Ms(id)).toISOString(),
  }
}

/** What a 410 gave up and a replay can still send. */
function goneOf(
  { now, gone_deliveries: gone, gone_since: since }: EndpointFacts,
  retentionDays: number,
): Pick<WebhookHealth, 'gone' | 'gone_since'> {
  const isKept = since !== null && now.getTime() - since.getTime() < retentionDays * 86_400_000
  return isKept ? { gone, gone_since: since.toISOString() } : { gone: 0, gone_since: null }
}

function expiryOf(clientCertificate: string | null): number | null {
  const described = describeClientCertificate(clientCertificate)
  return described === null ? null : Date.parse(described.expires_at)
}

function isoOrNull(moment: Date | number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString()
}

import type { WebhookHealth } from '@posthorn/contract'
import type { HealthFacts } from '../domain/endpoint-health.ts'
import { disabledGone, healthSentence } from './health-sentence.ts'

type Warning = WebhookHealth['warnings'][number]

/** The facts that decide which warnings an endpoint has. Times are in milliseconds since the epoch. */
export interface WarningFacts extends HealthFacts {
  nowMs: number
  updatedAtMs: number
  /** How many deliveries were given up because the receiver answered 410. */
  goneDeliveries: number
  /** When the oldest waiting delivery was created. */
  oldestWaitingMs: number | null
  certificateExpiresAtMs: number | null
  /** The endpoint's own, which Posthorn shows to the receiver. */
  clientCertificateExpiresAtMs: number | null
}

const dayMs = 86_400_000
const expiryWarningMs = 3 * dayMs
const certificateWarningMs = 14 * dayMs

/** The current warnings about an endpoint, with their start. */
export function healthWarnings(
  facts: WarningFacts,
  { disableAfterMs, retentionDays }: { disableAfterMs: number; retentionDays: number },
): Warning[] {
  const warnings: Warning[] = []
  const addSince = (code: Warning['code'], sinceMs: number | null): void => {
    if (sinceMs === null || facts.nowMs < sinceMs) return
    const message = code === 'disabled_gone' ? disabledGone(facts.goneDeliveries) : healthSentence[code]
    warnings.push({ code, message, since: new Date(sinceMs).toISOString() })
  }
  const before = (momentMs: number | null, ms: number): number | null =>
    momentMs === null ? null : momentMs - ms
  if (facts.disabledReason === 'gone') addSince('disabled_gone', facts.updatedAtMs)
  if (facts.disabledReason === 'failing') addSince('disabled_failing', facts.updatedAtMs)
  addSince('delivery_exhausted', facts.exhaustedSinceMs)
  if (facts.status === 'enabled')
    addSince('failing_half_time', before(facts.failingSinceMs, -disableAfterMs / 2))
  // retention deletes whole days, including deliveries that still wait
  addSince('waiting_expires', before(facts.oldestWaitingMs, expiryWarningMs - retentionDays * dayMs))
  addSince('certificate_expires_soon', before(facts.certificateExpiresAtMs, certificateWarningMs))
  addSince(
    'client_certificate_expires_soon',
    before(facts.clientCertificateExpiresAtMs, certificateWarningMs),
  )
  return warnings
}

import type { WebhookHealth } from '@posthorn/contract'
import type { HealthFacts } from '../domain/endpoint-health.ts'
import { disabledGone, healthSentence } from './health-sentence.ts'

type Warning = WebhookHealth['warnings'][number]

/** What warnings rest on. Times in milliseconds since the epoch. */
export interface WarningFacts extends HealthFacts {
  nowMs: number
  updatedAtMs: number
  /** Given up because the receiver answered 410. */
  goneDeliveries: number
  /** When the oldest delivery that waits was made. */
  oldestWaitingMs: number | null
  certificateExpiresAtMs: number | null
}

const dayMs = 86_400_000
const expiryWarningMs = 3 * dayMs
const certificateWarningMs = 14 * dayMs

/** What is wrong with an endpoint now, and since when. */
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
  // retention drops whole days: what waits goes when its day does
  addSince('waiting_expires', before(facts.oldestWaitingMs, expiryWarningMs - retentionDays * dayMs))
  addSince('certificate_expires_soon', before(facts.certificateExpiresAtMs, certificateWarningMs))
  return warnings
}

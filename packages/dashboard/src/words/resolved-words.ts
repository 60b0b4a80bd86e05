import type { WebhookHealth } from '@posthorn/contract'
import type { Outage } from '../outages/find-outage.ts'
import { countOf, formatSpan } from '../format/numbers.ts'
import { isBack } from './is-back.ts'
import type { Sentence } from './sentence.ts'

const weekMs = 7 * 86_400_000

/** Whether an endpoint may have recovered within the last week; one that is back has its own notice. */
export function mayBeResolved(health: WebhookHealth, nowMs: number): boolean {
  const { state, last_failure_at: failedAt, last_success_at: succeededAt } = health
  if (state === 'failing' || state === 'disabled' || isBack(health)) return false
  if (failedAt === null || succeededAt === null || succeededAt < failedAt) return false
  return nowMs - Date.parse(failedAt) < weekMs
}

/** When an endpoint recovered, and from what; null while its outage lasts. */
export function resolvedWords(outage: Outage | null): Sentence | null {
  if (outage === null || outage.untilMs === null) return null
  const { sinceMs, untilMs, givenUp } = outage
  const lost = givenUp === 0 ? '' : ` ${countOf(givenUp, 'delivery was', 'deliveries were')} given up.`
  return [
    'has worked again since ',
    { at: new Date(untilMs).toISOString() },
    `, after failing for ${formatSpan(untilMs - sinceMs)}.${lost}`,
  ]
}

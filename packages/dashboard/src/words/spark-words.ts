import type { WebhookHealth } from '@posthorn/contract'
import { countOf, formatShare } from '../format/numbers.ts'

/** The delivered share of the attempts of some hours; null without attempts. */
function acknowledgedShare(hours: WebhookHealth['hours']): number | null {
  const delivered = hours.reduce((sum, hour) => sum + hour.delivered, 0)
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0)
  return delivered + failed === 0 ? null : delivered / (delivered + failed)
}

/** A sentence about the bars of some hours. */
export function sparkSummary(hours: WebhookHealth['hours']): string {
  const share = acknowledgedShare(hours)
  if (share === null) return `No attempt in the last ${hours.length} hours.`
  const attempts = hours.reduce((sum, hour) => sum + hour.delivered + hour.failed, 0)
  const bad = hours.filter(hour => hour.failed > 0).length
  const failures = bad === 0 ? 'none failed' : `failures in ${countOf(bad, 'hour', 'hours')}`
  return `${countOf(attempts, 'attempt', 'attempts')} in the last ${hours.length} hours, ${formatShare(share)} delivered, ${failures}.`
}

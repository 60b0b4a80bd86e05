import type { WebhookHealth } from '@posthorn/contract'
import { countOf, formatCount, formatSpan } from '../format/numbers.ts'

/** The button's label: `Enable and send 1,204`. */
export function enableLabel(waiting: number): string {
  return waiting === 0 ? 'Enable' : `Enable and send ${formatCount(waiting)}`
}

/** How long that takes, and in which order; nothing if no events wait. */
export function drainWords({ waiting_count: waiting, drain_seconds: seconds }: Drain): string {
  return waiting === 0 ? '' : `Enabling sends them in about ${formatSpan(seconds * 1_000)}, oldest first.`
}

type Drain = Pick<WebhookHealth, 'waiting_count' | 'drain_seconds'>

/** What happens after the endpoint is enabled. */
export function enabledWords(waiting: number): string {
  return waiting === 0
    ? 'Enabled. New events are sent from now on.'
    : `Enabled. ${countOf(waiting, 'event goes', 'events go')} out now, oldest first.`
}

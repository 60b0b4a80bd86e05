import type { WebhookHealth } from '@posthorn/contract'
import type { Outage } from './find-outage.ts'

const minuteMs = 60_000
/** Deliveries under way when the outage started are sent again too. */
const beforeMs = 10 * minuteMs

/**
 * The proposed window of a replay: the outage, the minutes before it, and deliveries that have waited longer.
 * Without a known end it lasts until now, which has no `until`.
 */
export function replayWindow(
  outage: Outage | null,
  health: Pick<WebhookHealth, 'oldest_waiting' | 'failing_since'>,
): { since?: string; until?: string } {
  const begins = [
    outage === null ? null : outage.sinceMs - beforeMs,
    health.failing_since === null ? null : Date.parse(health.failing_since) - beforeMs,
    health.oldest_waiting === null ? null : Date.parse(health.oldest_waiting.since),
  ].filter(ms => ms !== null)
  if (begins.length === 0) return {}
  const since = isoOf(Math.floor(Math.min(...begins) / minuteMs) * minuteMs)
  const isOver = outage !== null && outage.untilMs !== null && health.failing_since === null
  return isOver ? { since, until: isoOf((outage.untilMs ?? 0) + minuteMs) } : { since }
}

/** The replay of what a 410 gave up; null if there is nothing. */
export function goneReplay({
  gone_since: since,
}: Pick<WebhookHealth, 'gone_since'>): { since: string; states: string } | null {
  if (since === null) return null
  return { since: isoOf(Math.floor(Date.parse(since) / minuteMs) * minuteMs), states: 'exhausted' }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

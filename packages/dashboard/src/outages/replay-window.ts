import type { WebhookHealth } from '@posthorn/contract'
import type { Outage } from './find-outage.ts'

const minuteMs = 60_000
/** What was under way when it broke is sent again, too. */
const beforeMs = 10 * minuteMs

/**
 * The window that a replay is proposed with: the outage and the minutes before it, and whatever has waited for longer.
 * One that goes on, or was not seen, ends now, which is no `until`.
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

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

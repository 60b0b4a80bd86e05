import type { Call } from '../api/call.ts'
import { findOutage, type Outage } from './find-outage.ts'

const minuteMs = 60_000
const quarterMs = 15 * minuteMs
const dayMs = 86_400_000
const weekMs = 7 * dayMs

/** An outage, and whether its edges are known to the minute. */
export interface SeenOutage extends Outage {
  readonly isToTheMinute: boolean
}

/** The latest outage of an endpoint within a week, from statistics; to the minute where those are still kept. */
export async function lastOutage(
  call: Call,
  webhookId: string,
  nowMs: number,
  signal: AbortSignal,
): Promise<SeenOutage | null> {
  const read = async (step: '15m' | '1m', sinceMs: number, untilMs: number) => {
    const query = { webhook_id: webhookId, step, since: isoOf(sinceMs), until: isoOf(untilMs) }
    return (await call('getStats', { query, signal })).data
  }
  const rough = findOutage(await read('15m', nowMs - weekMs, nowMs))
  if (rough === null) return null
  const { sinceMs, untilMs, givenUp } = rough
  if (sinceMs < nowMs - dayMs + quarterMs) return { ...rough, isToTheMinute: false }
  const [begin, end] = await Promise.all([
    read('1m', sinceMs, sinceMs + quarterMs),
    untilMs === null ? null : read('1m', untilMs - quarterMs, Math.min(nowMs, untilMs + quarterMs)),
  ])
  const firstFailure = begin.find(point => point.failed > 0)
  const lastBad = end?.findLastIndex(point => point.failed > point.delivered) ?? -1
  const mended = end?.slice(lastBad + 1).find(point => point.delivered > 0)
  return {
    sinceMs: firstFailure === undefined ? sinceMs : Date.parse(firstFailure.at),
    untilMs: mended === undefined ? untilMs : Date.parse(mended.at),
    givenUp,
    isToTheMinute: true,
  }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

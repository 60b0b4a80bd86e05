import type { Call } from '../api/call.ts'
import { findOutage, type Outage } from './find-outage.ts'

const minuteMs = 60_000
const quarterMs = 15 * minuteMs
const dayMs = 86_400_000
const weekMs = 7 * dayMs

/** An outage, and whether its end is known to the minute. */
export interface SeenOutage extends Outage {
  readonly isToTheMinute: boolean
}

/** The latest outage of an endpoint within a week; exact to the minute while minutes are still kept. */
export async function lastOutage(
  call: Call,
  webhookId: string,
  nowMs: number,
  signal: AbortSignal,
): Promise<SeenOutage | null> {
  const read = async (bucket: '15m' | '1m', sinceMs: number, untilMs: number) => {
    const query = { webhook_id: webhookId, bucket, since: isoOf(sinceMs), until: isoOf(untilMs) }
    return (await call('getStats', { query, signal })).data
  }
  const rough = findOutage(await read('15m', nowMs - weekMs, nowMs))
  if (rough === null) return null
  const { sinceMs, untilMs, lastBadMs } = rough
  const isKept = (ms: number): boolean => ms > nowMs - dayMs + quarterMs
  const endMs = Math.min(nowMs, (untilMs ?? lastBadMs) + quarterMs)
  const [begin, end] = await Promise.all([
    isKept(sinceMs) ? read('1m', sinceMs, sinceMs + quarterMs) : [],
    isKept(lastBadMs) ? read('1m', lastBadMs, endMs) : [],
  ])
  const firstFailure = begin.find(point => point.failed > 0)
  // the endpoint may have recovered within the last bad bucket
  const lastBad = end.findLastIndex(point => point.failed > point.delivered)
  const mended = end.slice(lastBad + 1).find(point => point.delivered > 0)
  return {
    ...rough,
    sinceMs: firstFailure === undefined ? sinceMs : Date.parse(firstFailure.at),
    untilMs: mended === undefined ? untilMs : Date.parse(mended.at),
    isToTheMinute: mended !== undefined,
  }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

import { httpDateMs } from './http-date.ts'

const statusesThatMayAsk = new Set([409, 429, 503])
const floorMinMs = 1_000
/** No receiver is left alone for longer because it asked for it. */
export const retryAfterMsMax = 3_600_000

/**
 * The least delay that a receiver's `Retry-After` (RFC 9110 §10.2.3: seconds or a date) asks for, in milliseconds,
 * between 1 s and 1 h; 0 when the status may not ask, the header is missing or is neither.
 * @example
 * retryAfterFloorMs(429, '5', Date.now()) // 5000
 */
export function retryAfterFloorMs(statusCode: number | null, header: string | null, nowMs: number): number {
  if (statusCode === null || header === null || !statusesThatMayAsk.has(statusCode)) return 0
  const text = header.trim()
  const askedMs = /^\d+$/.test(text) ? Number(text) * 1_000 : httpDateMs(text, nowMs) - nowMs
  if (Number.isNaN(askedMs)) return 0
  return Math.min(Math.max(askedMs, floorMinMs), retryAfterMsMax)
}

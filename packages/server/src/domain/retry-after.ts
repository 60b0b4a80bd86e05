import { httpDateMs } from './http-date.ts'

const statusesThatMayAsk = new Set([409, 429, 503])
const floorMinMs = 1_000
/** The longest delay that a receiver can ask for. */
export const retryAfterMsMax = 3_600_000

/**
 * The minimum delay that a receiver's `Retry-After` asks for (RFC 9110 §10.2.3: seconds or a date), between 1 s and 1 h. It is
 * 0 if the status does not allow it, or if the header is missing or malformed.
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

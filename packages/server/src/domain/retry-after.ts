const statusesThatMayAsk = new Set([409, 429, 503])
const floorMinMs = 1_000
const floorMaxMs = 3_600_000

/**
 * The least delay that a receiver's `Retry-After` (RFC 9110 §10.2.3: seconds or a date) asks for, in milliseconds,
 * between 1 s and 1 h; 0 when the status may not ask, the header is missing or is neither.
 * @example
 * retryAfterFloorMs(429, '5', Date.now()) // 5000
 */
export function retryAfterFloorMs(statusCode: number | null, header: string | null, nowMs: number): number {
  if (statusCode === null || header === null || !statusesThatMayAsk.has(statusCode)) return 0
  const text = header.trim()
  const askedMs = /^\d{1,15}$/.test(text) ? Number(text) * 1_000 : dateMs(text) - nowMs
  if (Number.isNaN(askedMs)) return 0
  return Math.min(Math.max(askedMs, floorMinMs), floorMaxMs)
}

/** Only the form that HTTP allows: `Date.parse` alone would take "5.5" or "-1" for a day. */
function dateMs(text: string): number {
  return /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN
}

let lastMs = Number.NaN
let lastText = ''

/**
 * A time as customers see it, such as `2026-11-26T05:32:43.000Z`. It caches the last text, because events of one request have
 * the same time.
 * @param ms milliseconds since the epoch
 */
export function momentText(ms: number): string {
  if (ms !== lastMs) {
    lastText = new Date(ms).toISOString()
    lastMs = ms
  }
  return lastText
}

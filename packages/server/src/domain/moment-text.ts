let lastMs = Number.NaN
let lastText = ''

/**
 * A moment as customers see it, `2026-11-26T05:32:43.000Z`. The text of the one before is kept: events that come together
 * bear the same, and to write it takes half a microsecond.
 * @param ms since the epoch
 */
export function momentText(ms: number): string {
  if (ms !== lastMs) {
    lastText = new Date(ms).toISOString()
    lastMs = ms
  }
  return lastText
}

/** The moment that a `t` means, also where it was written in milliseconds by mistake; null beyond all calendars. */
export function signedAtMs(text: string): number | null {
  const number = Number(text)
  const atMs = isMilliseconds(text) ? number : number * 1000
  return Number.isNaN(new Date(atMs).getTime()) ? null : atMs
}

/** As the library decides it: no second before the year 5138 is that large. */
export function isMilliseconds(text: string): boolean {
  return Number(text) > 1e11
}

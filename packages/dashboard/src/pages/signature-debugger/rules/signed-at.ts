/** The moment of a `t`, also if it was written in milliseconds by mistake; null if it is out of range. */
export function signedAtMs(text: string): number | null {
  const number = Number(text)
  const atMs = isMilliseconds(text) ? number : number * 1000
  return Number.isNaN(new Date(atMs).getTime()) ? null : atMs
}

/** As the library decides: seconds are not this large before the year 5138. */
export function isMilliseconds(text: string): boolean {
  return Number(text) > 1e11
}

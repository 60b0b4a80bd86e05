/** Round durations from 0, with two to five after the first; the last is at least `maxMs`. */
export function timeTicksMs(maxMs: number): number[] {
  const roughMs = Math.max(1, maxMs) / 4
  const powerMs = 10 ** Math.floor(Math.log10(roughMs))
  const stepMs = [1, 2, 5, 10].map(factor => factor * powerMs).find(step => step >= roughMs) ?? powerMs
  const count = Math.max(1, Math.ceil(maxMs / stepMs))
  return Array.from({ length: count + 1 }, (_, tick) => tick * stepMs)
}

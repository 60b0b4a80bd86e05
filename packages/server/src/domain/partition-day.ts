export const dayMs = 86_400_000

/** The smallest UUID whose UUIDv7 time is `timeMs`: ranges of time are ranges of ids. */
export function idBound(timeMs: number): string {
  const hex = Math.trunc(timeMs).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** Counts how often each value occurs. */
export function countEach(given: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of given) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

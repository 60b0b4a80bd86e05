const dayMs = 86_400_000

/** The lifetimes that a key can have. */
export const keyLifetimes = [
  { label: 'Never', days: null },
  { label: 'In 30 days', days: 30 },
  { label: 'In 90 days', days: 90 },
  { label: 'In a year', days: 365 },
] as const

/** When a key created now expires; null: never. */
export function lifetimeEnd(label: string, nowMs: number): string | null {
  const days = keyLifetimes.find(lifetime => lifetime.label === label)?.days ?? null
  return days === null ? null : new Date(nowMs + days * dayMs).toISOString()
}

const dayMs = 86_400_000

/** For how long a key may be made. */
export const keyLifetimes = [
  { label: 'Never', days: null },
  { label: 'In 30 days', days: 30 },
  { label: 'In 90 days', days: 90 },
  { label: 'In a year', days: 365 },
] as const

/** When a key that is made now ends; null: never. */
export function lifetimeEnd(label: string, nowMs: number): string | null {
  const days = keyLifetimes.find(lifetime => lifetime.label === label)?.days ?? null
  return days === null ? null : new Date(nowMs + days * dayMs).toISOString()
}

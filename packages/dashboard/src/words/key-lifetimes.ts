const dayMs = 86_400_000

export interface KeyLifetime {
  readonly label: string
  readonly days: number | null
}

/** The lifetimes that a key can have. */
const keyLifetimes: readonly KeyLifetime[] = [
  { label: 'Never', days: null },
  { label: 'In 30 days', days: 30 },
  { label: 'In 90 days', days: 90 },
  { label: 'In a year', days: 365 },
]

const latest: KeyLifetime = { label: 'As late as possible', days: null }

/** The lifetimes that end by then, the longest first; null: all of them. */
export function lifetimesBy(expireBy: string | null, nowMs: number): readonly KeyLifetime[] {
  if (expireBy === null) return keyLifetimes
  const bounded = keyLifetimes.filter(
    ({ days }) => days !== null && nowMs + days * dayMs <= Date.parse(expireBy),
  )
  return [latest, ...bounded]
}

/** When a key created now expires; null: never. */
export function lifetimeEnd(label: string, expireBy: string | null, nowMs: number): string | null {
  const days = lifetimesBy(expireBy, nowMs).find(lifetime => lifetime.label === label)?.days ?? null
  return days === null ? expireBy : new Date(nowMs + days * dayMs).toISOString()
}

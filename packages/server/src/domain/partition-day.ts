import { firstUuidV7At, uuidV7Ms } from './uuid-v7.ts'

const dayMs = 86_400_000

/** How the partition of a day is named after its table's: `20261122`, in UTC. */
export function partitionDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')
}

/** The one day in which all these UUIDv7 were made, as partitions are named, or null when there are several or none. */
export function dayOfAll(ids: readonly string[]): string | null {
  const [first] = ids
  if (first === undefined) return null
  const startMs = Math.floor(uuidV7Ms(first) / dayMs) * dayMs
  const from = firstUuidV7At(startMs)
  const until = firstUuidV7At(startMs + dayMs)
  return ids.every(id => id >= from && id < until) ? partitionDay(startMs) : null
}

/** Keeps what was made for a day, because hot statements are long and are made in each group; of old days it lets go. */
export function oncePerDay<T>(make: (day: string | null) => T): (day: string | null) => T {
  const made = new Map<string | null, T>()
  return day => {
    const known = made.get(day)
    if (known !== undefined) return known
    if (made.size === keptDays) made.clear()
    const fresh = make(day)
    made.set(day, fresh)
    return fresh
  }
}

const keptDays = 8

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

/**
 * Keeps what was made for a day, because hot statements are long and are asked for with each group; of old days it lets go.
 * @param make is given how the names of the day's partitions end: `_20261122`, or nothing for several days, which
 * concern the tables themselves
 */
export function oncePerDay<T>(make: (ofDay: string) => T): (day: string | null) => T {
  const made = new Map<string | null, T>()
  return day => {
    const known = made.get(day)
    if (known !== undefined) return known
    if (made.size === keptDays) made.clear()
    const fresh = make(day === null ? '' : `_${day}`)
    made.set(day, fresh)
    return fresh
  }
}

const keptDays = 8

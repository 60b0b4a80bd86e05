import { firstUuidV7At, uuidV7Ms } from './uuid-v7.ts'

const dayMs = 86_400_000

/** The suffix of the partition of a day in UTC: `20261122`. */
export function partitionDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')
}

/** The partition suffix of the day in which all these UUIDv7 were made, or null if there are several days or no ids. */
export function dayOfAll(ids: readonly string[]): string | null {
  const [first] = ids
  if (first === undefined) return null
  const startMs = Math.floor(uuidV7Ms(first) / dayMs) * dayMs
  const from = firstUuidV7At(startMs)
  const until = firstUuidV7At(startMs + dayMs)
  return ids.every(id => id >= from && id < until) ? partitionDay(startMs) : null
}

/**
 * Caches the result of `make` for each day, because it builds long statements that every group needs.
 * @param make receives the suffix of the day's partitions, such as `_20261122`, or an empty text for the whole tables
 */
export function oncePerDay<T>(make: (ofDay: string) => T): (day: string | null) => T {
  const made = new Map<string | null, T>()
  return day => {
    const known = made.get(day)
    if (known !== undefined) return known
    if (made.size === cachedDaysMax) made.clear()
    const fresh = make(day === null ? '' : `_${day}`)
    made.set(day, fresh)
    return fresh
  }
}

const cachedDaysMax = 8

import type { DedupeStore } from './process-once.ts'

/**
 * Remembers events in the memory of this process. Use it for a single process or for tests.
 *
 * @example
 * const store = memoryStore({ max: 50_000 })
 */
export function memoryStore(options: { max?: number; now?: () => number } = {}): DedupeStore {
  const { max = 10_000, now = Date.now } = options
  const entries = new Map<string, Entry>()

  function put(id: string, entry: Entry): void {
    // Delete first, so that the map is ordered by the last change.
    entries.delete(id)
    entries.set(id, entry)
    for (const [oldest, { done, endsAt }] of entries) {
      if (entries.size <= max) return
      // Keep work in progress, even if the store then exceeds `max`.
      if (done || endsAt <= now()) entries.delete(oldest)
    }
  }

  return {
    async claim(id, leaseMs, digest) {
      const entry = entries.get(id)
      if (entry !== undefined && entry.endsAt > now()) return entry.done ? 'done' : 'in_progress'
      put(id, { done: false, endsAt: now() + leaseMs, digest })
      return 'claimed'
    },
    async complete(id, ttlMs, digest) {
      put(id, { done: true, endsAt: now() + ttlMs, digest })
    },
    async release(id) {
      if (entries.get(id)?.done === false) entries.delete(id)
    },
    async digestOf(id) {
      return entries.get(id)?.digest
    },
  }
}

interface Entry {
  readonly done: boolean
  readonly endsAt: number
  readonly digest: string | undefined
}

import type { Queryable } from '../db/database.ts'
import type { FoundProviderSource } from './find-provider-source.ts'

/** What a request of a provider changes in the counts of its source. */
export interface SourceCount {
  readonly events: number
  readonly ignored: number
  readonly refused: number
}

/**
 * Counts the requests of providers. Requests that end while the counts are being written are written together, so that a busy
 * source does not wait for the lock on its row. If the process dies, the counts of its last moment are lost; events are not.
 */
export class SourceCounts {
  readonly #db: Queryable
  readonly #onError: (error: unknown) => void
  #waiting = new Map<string, SourceCount & { readonly source: FoundProviderSource }>()
  #writing: Promise<void> | null = null

  constructor(db: Queryable, onError: (error: unknown) => void) {
    this.#db = db
    this.#onError = onError
  }

  add(source: FoundProviderSource, count: Partial<SourceCount>): void {
    const before = this.#waiting.get(source.id)
    this.#waiting.set(source.id, {
      source,
      events: (before?.events ?? 0) + (count.events ?? 0),
      ignored: (before?.ignored ?? 0) + (count.ignored ?? 0),
      refused: (before?.refused ?? 0) + (count.refused ?? 0),
    })
    this.#writing ??= this.#write()
  }

  /** Resolves when everything is written. */
  async drain(): Promise<void> {
    await this.#writing
  }

  async #write(): Promise<void> {
    // so that `#writing` is set before this sets it to null
    await Promise.resolve()
    while (this.#waiting.size > 0) {
      const counts = [...this.#waiting.values()]
      this.#waiting = new Map()
      for (const count of counts) await this.#writeOne(count)
    }
    this.#writing = null
  }

  async #writeOne({
    source,
    events,
    ignored,
    refused,
  }: SourceCount & { readonly source: FoundProviderSource }): Promise<void> {
    try {
      await this.#db.query(
        `update provider_source
         set event_count = event_count + $3, ignored_count = ignored_count + $4, refused_count = refused_count + $5,
           last_at = case when $6 then now() else last_at end
         where account_id = $1 and id = $2`,
        [source.accountId, source.id, events, ignored, refused, events + ignored > 0],
      )
    } catch (error) {
      this.#onError(error)
    }
  }
}

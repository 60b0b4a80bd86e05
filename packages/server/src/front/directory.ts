import type { Log } from '../log.ts'
import type { DirectoryPage, Placement } from '../shards/internal-api.ts'
import { DirectoryCopy } from './directory-copy.ts'

export interface DirectoryOptions {
  /** Reads the placements that changed after a version from shard 0. */
  readonly read: (after: number) => Promise<DirectoryPage>
  readonly monotonicMs: () => number
  readonly wait: (ms: number) => Promise<void>
  readonly log: Pick<Log, 'info' | 'error'>
}

/** How often the front asks shard 0 for changes. */
const everyMs = 500
/** The least time between two reads, however many requests ask for one. */
const pauseMs = 100

/**
 * The front's copy of the directory in shard 0. It follows the original within half a second. While shard 0 is down, the
 * last copy stays in use.
 */
export class Directory implements AsyncDisposable {
  readonly #options: DirectoryOptions
  #copy = new DirectoryCopy()
  #installationId: string | null = null
  #isCurrent = false
  #startedMs = Number.NEGATIVE_INFINITY
  #reading: Promise<boolean> = Promise.resolve(false)
  #next: Promise<boolean> | null = null
  #following: Promise<void> | null = null
  #isClosed = false

  constructor(options: DirectoryOptions) {
    this.#options = options
  }

  /** Whether it was read at least once. */
  get isKnown(): boolean {
    return this.#installationId !== null
  }

  /** Whether the last read succeeded. */
  get isCurrent(): boolean {
    return this.#isCurrent
  }

  get installationId(): string | null {
    return this.#installationId
  }

  get shards(): ReadonlyMap<number, 'open' | 'closed'> {
    return this.#copy.shards
  }

  find(code: number): Placement | undefined {
    return this.#copy.byCode.get(code)
  }

  /** How many accounts are placed on a shard. */
  count(shard: number): number {
    return this.#copy.count(shard)
  }

  /** How many accounts are moving away from other shards. */
  countMovingFromOthers(shard: number): number {
    let count = 0
    for (const placement of this.#copy.byCode.values()) {
      if (placement.moving && placement.shard !== shard) count++
    }
    return count
  }

  /**
   * Reads the changes. Calls share one read, which begins after them.
   * @returns whether it succeeded
   */
  async refresh(): Promise<boolean> {
    this.#next ??= this.#readSoon()
    return await this.#next
  }

  /** Reads the changes again and again. */
  follow(): void {
    this.#following ??= this.#follow()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await this.#following
  }

  async #follow(): Promise<void> {
    while (!this.#isClosed) {
      await this.refresh()
      await this.#options.wait(everyMs)
    }
  }

  async #readSoon(): Promise<boolean> {
    await this.#reading
    const { monotonicMs, wait } = this.#options
    const earlyMs = this.#startedMs + pauseMs - monotonicMs()
    if (earlyMs > 0) await wait(earlyMs)
    // calls from now on need a read that begins later
    this.#next = null
    this.#startedMs = monotonicMs()
    this.#reading = this.#readAll()
    return await this.#reading
  }

  async #readAll(): Promise<boolean> {
    const { log } = this.#options
    try {
      this.#copy = await this.#readInto(this.#copy)
      if (!this.#isCurrent) log.info({ version: this.#copy.version }, 'the directory in shard 0 answers')
      this.#isCurrent = true
    } catch (error) {
      if (this.#isCurrent) {
        log.error(
          { err: error },
          'the directory in shard 0 does not answer: known accounts work, new ones wait',
        )
      }
      this.#isCurrent = false
    }
    return this.#isCurrent
  }

  /** Brings a copy up to date. If shard 0 was restored from a backup, returns a new one when it is complete. */
  async #readInto(copy: DirectoryCopy): Promise<DirectoryCopy> {
    for (;;) {
      const page = await this.#options.read(copy.version)
      if (this.#installationId !== null && page.installation_id !== this.#installationId) {
        throw new Error('shard 0 belongs to another installation than before: restart the front')
      }
      this.#installationId = page.installation_id
      if (copy.isContinuedBy(page)) {
        copy.enter(page)
        if (!page.more) return copy
      } else if (copy === this.#copy) {
        copy = new DirectoryCopy()
      } else {
        throw new Error('the directory was restored while it was read')
      }
    }
  }
}

export interface BatcherOptions<Item, Result> {
  /** Chooses the next batch; an empty one waits until `wake` or the next item. @param gathered oldest first */
  next: (gathered: readonly Item[]) => { batch: readonly Item[]; later: readonly Item[] }
  /** Does the work of a batch, and all that must be done before the next batch. */
  flush: (batch: readonly Item[]) => Promise<Result>
  /** Called once the next flush has started, so that the database has work meanwhile. Never throws. */
  done: (batch: readonly Item[], result: Result) => void
  /** Called if a flush fails. Returns the items to flush again, before all others. Never throws. */
  failed: (batch: readonly Item[], error: unknown) => Promise<readonly Item[]>
  /** Without it, the next flush starts at once. */
  pace?: Pace
}

/** Two flushes start at least `everyMs` apart, unless `fullAt` items are gathered. */
interface Pace {
  everyMs: number
  fullAt: number
  monotonicMs: () => number
  sleep: (ms: number) => Promise<void>
}

/**
 * Group commit: items that arrive during a flush go into the next batch. An idle batcher flushes at once; under load many items
 * share a flush.
 */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>
  #gathered: Item[] = []
  #flushing = 0
  #running: Promise<void> | undefined
  #startedAtMs = Number.NEGATIVE_INFINITY

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options
  }

  /** How many items wait or are being flushed. */
  get size(): number {
    return this.#gathered.length + this.#flushing
  }

  /** Whether a flush is running or about to start. */
  get isActive(): boolean {
    return this.#running !== undefined
  }

  add(item: Item): void {
    this.#gathered.push(item)
    this.wake()
  }

  /** Calls `next` again for the items that it left out. */
  wake(): void {
    this.#running ??= this.#run()
  }

  /** Resolves when no flush is running and none starts until `add` or `wake` is called. */
  async drain(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    const { next, flush, done, failed } = this.#options
    // items of the same iteration of the event loop share a batch
    await new Promise(resolve => setImmediate(resolve))
    while (this.#gathered.length > 0) {
      if (this.#options.pace !== undefined) await this.#keepPace(this.#options.pace)
      const { batch, later } = next(this.#gathered)
      if (batch.length === 0) break
      this.#gathered = [...later]
      this.#flushing = batch.length
      try {
        const result = await flush(batch)
        // runs once the next flush has started and this function waits for it
        queueMicrotask(() => done(batch, result))
      } catch (error) {
        const again = await failed(batch, error)
        this.#gathered = [...again, ...this.#gathered]
      }
      this.#flushing = 0
    }
    // synchronously after the last check, so that the next item starts a new run
    this.#running = undefined
  }

  async #keepPace({ everyMs, fullAt, monotonicMs, sleep }: Pace): Promise<void> {
    const waitMs = this.#startedAtMs + everyMs - monotonicMs()
    if (waitMs > 0 && this.#gathered.length < fullAt) await sleep(waitMs)
    this.#startedAtMs = monotonicMs()
  }
}

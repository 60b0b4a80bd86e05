export interface BatcherOptions<Item, Result> {
  /** Chooses the next batch; an empty one waits until `wake` or the next item. @param gathered oldest first */
  next: (gathered: readonly Item[]) => { batch: readonly Item[]; later: readonly Item[] }
  /** Does the work of a batch. What must be true before the next batch begins belongs here. */
  flush: (batch: readonly Item[]) => Promise<Result>
  /** Called after the next batch has begun: the database works while this process tells the results. Throws never. */
  done: (batch: readonly Item[], result: Result) => void
  /** A batch failed. Answers what of it is to be flushed again, before all others. Throws never. */
  failed: (batch: readonly Item[], error: unknown) => Promise<readonly Item[]>
  /** From the beginning of one flush to that of the next, unless `fullAt` items are gathered. */
  everyMs?: number
  fullAt?: number
  monotonicMs: () => number
  /** Passes time. */
  rest: (ms: number) => Promise<void>
}

/**
 * Group commit: gathers what arrives while a batch is being flushed into the next one. Nothing waits for a timer while the
 * batcher is idle, and under load each flush is shared by all that wait for it.
 */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>
  #gathered: Item[] = []
  #flushing = 0
  #running: Promise<void> | undefined
  #begunAtMs = Number.NEGATIVE_INFINITY

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options
  }

  /** Items that are gathered or being flushed. */
  get size(): number {
    return this.#gathered.length + this.#flushing
  }

  /** Whether something is being flushed or about to be. */
  get isActive(): boolean {
    return this.#running !== undefined
  }

  add(item: Item): void {
    this.#gathered.push(item)
    this.wake()
  }

  /** What `next` left out may go now. */
  wake(): void {
    this.#running ??= this.#run()
  }

  /** Resolves when nothing is being flushed, nor will be before something is added or `wake` is called. */
  async drain(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    const { next, flush, done, failed } = this.#options
    // what arrives in the same turn of the event loop belongs to the same batch
    await new Promise(resolve => setImmediate(resolve))
    while (this.#gathered.length > 0) {
      if (this.#options.everyMs !== undefined) await this.#keepApart()
      const { batch, later } = next(this.#gathered)
      if (batch.length === 0) break
      this.#gathered = [...later]
      this.#flushing = batch.length
      try {
        const result = await flush(batch)
        // runs when this function waits again: the next flush has begun then
        queueMicrotask(() => done(batch, result))
      } catch (error) {
        const again = await failed(batch, error)
        this.#gathered = [...again, ...this.#gathered]
      }
      this.#flushing = 0
    }
    // in the turn in which nothing was left: what is added after that begins anew
    this.#running = undefined
  }

  async #keepApart(): Promise<void> {
    const { everyMs = 0, fullAt = 0, monotonicMs, rest } = this.#options
    const waitMs = this.#begunAtMs + everyMs - monotonicMs()
    if (everyMs > 0 && waitMs > 0 && this.#gathered.length < fullAt) await rest(waitMs)
    this.#begunAtMs = monotonicMs()
  }
}

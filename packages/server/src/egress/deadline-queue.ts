/** Something that is told when its time is over. */
export interface Expirable {
  expire(): void
}

/**
 * Deadlines of equal length for things that come and go by the ten thousand: what came first is due first, so one
 * timer for the oldest serves all, and coming and going costs no timer.
 */
export class DeadlineQueue<Item extends Expirable> {
  readonly #timeoutMs: number
  readonly #monotonicMs: () => number
  readonly #startedAtMs = new Map<Item, number>()
  #timer: NodeJS.Timeout | null = null

  constructor(timeoutMs: number, monotonicMs: () => number) {
    this.#timeoutMs = timeoutMs
    this.#monotonicMs = monotonicMs
  }

  add(item: Item, nowMs: number): void {
    this.#startedAtMs.set(item, nowMs)
    if (this.#timer === null) this.#arm(this.#timeoutMs)
  }

  delete(item: Item): void {
    this.#startedAtMs.delete(item)
  }

  items(): Iterable<Item> {
    return this.#startedAtMs.keys()
  }

  /** Forgets all items without telling them. */
  close(): void {
    this.#startedAtMs.clear()
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  #expireDue(): void {
    this.#timer = null
    for (const [item, startedAtMs] of this.#startedAtMs) {
      const leftMs = startedAtMs + this.#timeoutMs - this.#monotonicMs()
      if (leftMs > 0) {
        if (this.#timer === null) this.#arm(Math.ceil(leftMs))
        return
      }
      this.#startedAtMs.delete(item)
      item.expire()
    }
  }

  /** Nothing is kept running for a deadline's sake: what waits for one holds a socket. */
  #arm(delayMs: number): void {
    this.#timer = setTimeout(() => this.#expireDue(), delayMs).unref()
  }
}

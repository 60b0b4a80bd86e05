import { Line, type Place } from '../domain/line.ts'

/** Something that is told when its time is over. */
export interface Expirable {
  expire(): void
}

/** What `add` gave for something that waits for its deadline. */
export type Deadline<Item> = Place<{ readonly item: Item; readonly startedAtMs: number }>

/**
 * Deadlines of equal length for things that come and go by the ten thousand: what came first is due first, so one
 * timer for the oldest serves all, and coming and going costs no timer.
 */
export class DeadlineQueue<Item extends Expirable> {
  readonly #timeoutMs: number
  readonly #monotonicMs: () => number
  readonly #line = new Line<{ item: Item; startedAtMs: number }>()
  #timer: NodeJS.Timeout | null = null

  constructor(timeoutMs: number, monotonicMs: () => number) {
    this.#timeoutMs = timeoutMs
    this.#monotonicMs = monotonicMs
  }

  add(item: Item, nowMs: number): Deadline<Item> {
    if (this.#timer === null) this.#arm(this.#timeoutMs)
    return this.#line.append({ item, startedAtMs: nowMs })
  }

  delete(deadline: Deadline<Item>): void {
    this.#line.remove(deadline)
  }

  items(): Item[] {
    return this.#line.items().map(({ item }) => item)
  }

  /** Tells nobody any more. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  #expireDue(): void {
    this.#timer = null
    for (let oldest = this.#line.first; oldest !== null; oldest = this.#line.first) {
      const { item, startedAtMs } = oldest.item
      const leftMs = startedAtMs + this.#timeoutMs - this.#monotonicMs()
      if (leftMs > 0) {
        if (this.#timer === null) this.#arm(Math.ceil(leftMs))
        return
      }
      this.#line.remove(oldest)
      item.expire()
    }
  }

  /** Nothing is kept running for a deadline's sake: what waits for one holds a socket. */
  #arm(delayMs: number): void {
    this.#timer = setTimeout(() => this.#expireDue(), delayMs).unref()
  }
}

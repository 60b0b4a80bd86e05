/** Storing a few events that takes so many times as long as it does without bulk is slow. */
const slowFrom = 2

/**
 * The rate falls by the one for each storing that is slow and rises by the other for each that is not: it stays where it is when
 * one in twelve is slow. A median does not show that whoever reports little waits for bulk now and then.
 */
const downBy = 0.9
const upBy = 1.01

/** In deliveries for each millisecond: bulk always gets on, begins with what a small machine bears, and at last is free. */
const leastPerMs = 1
const firstPerMs = 2
const freeFromPerMs = 50

/** How many deliveries of bulk may begin in a millisecond so that those who report a few events hardly notice. */
export class BulkRate {
  #perMs = firstPerMs

  /** Infinity where nobody notices, however many there are. */
  get perMs(): number {
    return this.#perMs >= freeFromPerMs ? Number.POSITIVE_INFINITY : this.#perMs
  }

  /** Beside bulk, storing a few events took so many times what it takes without. */
  stored(times: number): void {
    const perMs = this.#perMs * (times > slowFrom ? downBy : upBy)
    this.#perMs = Math.min(freeFromPerMs, Math.max(leastPerMs, perMs))
  }
}

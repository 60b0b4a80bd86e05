/** Storing a few events that takes so many times as long as it usually does without bulk is slow. */
const slowFrom = 2

/**
 * Beside bulk it may be slow in three more of a hundred than without. A median would not show that whoever reports little waits
 * now and then.
 */
const moreOften = 0.03
/** What it is without bulk, as a share, before it is known. */
const usuallySlow = 0.02
/** By so much of the difference one more storing without bulk changes what is known. */
const weight = 0.002
const slowAtMost = 0.2

/** For each storing that is slow the rate falls to so much of it: in small steps, because one pause makes several slow. */
const downBy = 0.97

/** In deliveries for each millisecond: it begins with the least, below which others gained nothing, and at last bulk is free. */
const leastPerMs = 2
const freeFromPerMs = 50

/** How many deliveries of bulk may begin in a millisecond so that those who report a few events hardly notice. */
export class BulkRate {
  #perMs = leastPerMs
  #slowWithout = usuallySlow

  /** Infinity where nobody notices, however many there are. */
  get perMs(): number {
    return this.#perMs >= freeFromPerMs ? Number.POSITIVE_INFINITY : this.#perMs
  }

  /** Without bulk, storing a few events took so many times what it usually takes. */
  storedWithout(times: number): void {
    this.#slowWithout += (Number(times > slowFrom) - this.#slowWithout) * weight
  }

  /**
   * Beside bulk, storing a few events took so many times what it usually takes without. The rate rises a little for each one
   * that is not slow: by just so much that it stays where it is when as many are slow as may be.
   */
  stored(times: number): void {
    const slow = Math.min(slowAtMost, this.#slowWithout + moreOften)
    const perMs = this.#perMs * (times > slowFrom ? downBy : downBy ** (-slow / (1 - slow)))
    this.#perMs = Math.min(freeFromPerMs, Math.max(leastPerMs, perMs))
  }
}

/** So long after an account's last report in bulk, or the last beginning of what it reported, it is like any other. */
const isBulkForMs = 10_000

/** Accounts remembered; of more, those whose last report in bulk is the longest ago are like any other. */
const accountsMax = 20_000

/** Who has no more than this unstarted stands in nobody's way, in however large a report it came. */
const fewUnstartedMax = 20

/** As much of it as time allows may be held in advance: far below the second that a delivery may wait for its beginning. */
const aheadMs = 400

/** What could not begin for so long may be made up for: an event loop that was busy is no reason to begin a crowd at once. */
const savedMs = 4

/**
 * When the next delivery of an account that reports in bulk may begin. A crowd that begins at once occupies the processor
 * for milliseconds; at a pace it leaves gaps, which everything that a single event needs falls into.
 *
 * All times are of one monotonic clock, in milliseconds.
 */
export class BulkStarts {
  /** How many may begin in a millisecond; Infinity where nobody needs a pace. */
  readonly #perMs: (nowMs: number) => number
  /** Until when each account counts as one that reports in bulk. */
  readonly #untilMs = new Map<string, number>()
  #saved = 0
  #savedAtMs = Number.NEGATIVE_INFINITY

  constructor(perMs: (nowMs: number) => number) {
    this.#perMs = perMs
  }

  /** When the last one began for which there was a pace. */
  get lastAtMs(): number {
    return this.#savedAtMs
  }

  /** This account reported many events at a time. */
  reported(accountId: string, nowMs: number): void {
    // the last one stands at the end
    this.#untilMs.delete(accountId)
    this.#untilMs.set(accountId, nowMs + isBulkForMs)
    if (this.#untilMs.size <= accountsMax) return
    for (const [oldest] of this.#untilMs) {
      this.#untilMs.delete(oldest)
      return
    }
  }

  /** Whether this account's next delivery may not begin yet, where so many of it are unstarted. */
  mustWait(accountId: string, unstarted: number, nowMs: number): boolean {
    return unstarted > fewUnstartedMax && this.#isPaced(accountId, nowMs) && this.#savedBy(nowMs) < 1
  }

  /** A delivery of this account begins, one of so many that were unstarted. */
  begins(accountId: string, unstarted: number, nowMs: number): void {
    if (unstarted <= fewUnstartedMax || !this.#isPaced(accountId, nowMs)) return
    this.#saved = this.#savedBy(nowMs) - 1
    this.#savedAtMs = nowMs
    this.#untilMs.set(accountId, nowMs + isBulkForMs)
  }

  /** How many deliveries of this account may be held at most. */
  roomOf(accountId: string, nowMs: number): number {
    return this.#isPaced(accountId, nowMs) ? this.room(nowMs) : Number.POSITIVE_INFINITY
  }

  /** How many may be held at most of all who report in bulk. */
  room(nowMs: number): number {
    return Math.ceil(this.#perMs(nowMs) * aheadMs)
  }

  #isPaced(accountId: string, nowMs: number): boolean {
    const untilMs = this.#untilMs.get(accountId)
    return untilMs !== undefined && nowMs < untilMs && this.#perMs(nowMs) < Number.POSITIVE_INFINITY
  }

  #savedBy(nowMs: number): number {
    const perMs = this.#perMs(nowMs)
    const elapsedMs = Math.max(0, nowMs - this.#savedAtMs)
    return Math.min(Math.max(1, perMs * savedMs), this.#saved + elapsedMs * perMs)
  }
}

import { Line, type Place } from './line.ts'

/** What has been under way for longer waits for its receiver; what has not may just wait for its turn at the processor. */
const recentMs = 40

/** Of what has begun within that time, so much may be under way. */
export const recentMax = 300

/**
 * Attempts that are under way and have just begun. More of them than the processor gets through in the meantime make nothing
 * quicker: they wait for each other, that is counted as their receivers' time, and the connections that they use have gone
 * cold when their answers come. What waits for a slow receiver is not counted here, so it takes no room from others.
 *
 * All times are of one monotonic clock, in milliseconds.
 */
export class RecentStarts {
  readonly #startedAtMs = new Line<number>()

  /** One begins. @returns what `ended` is to be told */
  begins(nowMs: number): Place<number> {
    return this.#startedAtMs.append(nowMs)
  }

  /** Its attempt is over, however long ago it began. */
  ended(start: Place<number>): void {
    this.#startedAtMs.remove(start)
  }

  /** Whether no more should begin before one of them ends or has waited for longer. */
  isFull(nowMs: number): boolean {
    if (this.#startedAtMs.size < recentMax) return false
    let oldest = this.#startedAtMs.first
    while (oldest !== null && oldest.item <= nowMs - recentMs) {
      this.#startedAtMs.remove(oldest)
      oldest = this.#startedAtMs.first
    }
    return this.#startedAtMs.size >= recentMax
  }
}

import { Line, type Place } from './line.ts'

/** What has been under way for longer waits for its receiver; what has not may just wait for its turn at the processor. */
const recentMs = 40

/** Of what has begun within that time, so much may be under way where receivers are quick. */
export const recentMax = 60

/** A receiver is quick that answers within this time where nothing waits for the processor. */
const quickMs = 2

/** An attempt that has begun: when, and which part of it counts. */
export interface RecentStart {
  readonly atMs: number
  readonly part: number
}

/**
 * Attempts that are under way and have just begun. More of them than the processor gets through in the meantime make nothing
 * quicker: they wait for each other, that is counted as their receivers' time, and the connections that they use have gone
 * cold when their answers come. At receivers that take longer more may be under way, in proportion, so that 30,000 can begin in
 * a second whatever they take. What has been under way for 40 ms takes no room from others.
 *
 * All times are of one monotonic clock, in milliseconds.
 */
export class RecentStarts {
  readonly #starts = new Line<RecentStart>()
  #parts = 0

  /**
   * One begins.
   * @param quickestMs what its receiver takes where nothing waits for the processor
   * @returns what `ended` is to be told
   */
  begins(nowMs: number, quickestMs: number): Place<RecentStart> {
    const part = quickMs / Math.max(quickMs, quickestMs)
    this.#parts += part
    return this.#starts.append({ atMs: nowMs, part })
  }

  /** Its attempt is over, however long ago it began. */
  ended(start: Place<RecentStart>): void {
    if (this.#starts.remove(start)) this.#parts -= start.item.part
  }

  /** Whether no more should begin before one of them ends or has waited for longer. */
  isFull(nowMs: number): boolean {
    if (this.#parts < recentMax) return false
    let oldest = this.#starts.first
    while (oldest !== null && oldest.item.atMs <= nowMs - recentMs) {
      this.ended(oldest)
      oldest = this.#starts.first
    }
    return this.#parts >= recentMax
  }
}

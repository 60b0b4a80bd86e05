import type { Clock } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { DueEndpoints } from './due-endpoints.ts'
import { findDue, firstEndpoint } from './find-due.ts'

/** How often to scan everything, in case a notification or a timer was missed. */
const fullScanEveryMs = 5_000
/** The least time between two scans, and the share of the time that scans may take if there are thousands of endpoints. */
const scanEveryMs = 20
const scanShare = 0.1

/**
 * Scans the queue for endpoints that have something due, some hundred endpoints per step, and adds them to `due`. A scan after a
 * notification skips what was due before the last complete scan; a full scan skips nothing.
 */
export class DueScan {
  readonly #db: Queryable
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #due: DueEndpoints
  /** The next step starts after this endpoint. */
  #after = firstEndpoint
  /** The scan in progress skips what was due before `#skipBeforeMs`, and is complete up to `#completeToMs`. */
  #skipBeforeMs = 0
  #completeToMs = 0
  #isRequested = true
  #isFullRequested = true
  #mayScanAtMs = Number.NEGATIVE_INFINITY
  #fullScanAtMs = Number.NEGATIVE_INFINITY

  constructor(db: Queryable, clock: Pick<Clock, 'monotonicMs'>, due: DueEndpoints) {
    this.#db = db
    this.#clock = clock
    this.#due = due
  }

  /** Something became due. @param full whether some of it may have been due earlier */
  request(full: boolean): void {
    this.#isFullRequested ||= full
    this.#isRequested = true
  }

  /** When the next step is due, in monotonic milliseconds. */
  get nextAtMs(): number {
    const isPending = this.#isRequested || this.#after !== firstEndpoint
    return isPending ? this.#mayScanAtMs : Math.max(this.#mayScanAtMs, this.#fullScanAtMs)
  }

  /** Makes one step if it is due. */
  async step(): Promise<void> {
    const startedAtMs = this.#clock.monotonicMs()
    if (startedAtMs < this.nextAtMs) return
    const isFirstStep = this.#after === firstEndpoint
    if (isFirstStep) {
      const isFull = this.#isFullRequested || startedAtMs >= this.#fullScanAtMs
      this.#isRequested = this.#isFullRequested = false
      this.#skipBeforeMs = isFull ? 0 : this.#due.completeToMs
    }
    const { found, last, completeToMs } = await findDue(this.#db, this.#after, this.#skipBeforeMs)
    if (isFirstStep) this.#completeToMs = completeToMs
    for (const endpoint of found) {
      if (this.#skipBeforeMs === 0) this.#due.found(endpoint)
      else this.#due.add({ ...endpoint, dueFromMs: this.#skipBeforeMs })
    }
    const nowMs = this.#clock.monotonicMs()
    this.#after = last ?? firstEndpoint
    this.#mayScanAtMs = startedAtMs + (nowMs - startedAtMs) / scanShare
    if (last !== null) return
    this.#due.completeToMs = this.#completeToMs
    this.#mayScanAtMs = Math.max(this.#mayScanAtMs, nowMs + scanEveryMs)
    if (this.#skipBeforeMs === 0) this.#fullScanAtMs = nowMs + fullScanEveryMs
  }
}

import type { Clock } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { DueEndpoints } from './due-endpoints.ts'
import { findDue, firstEndpoint } from './find-due.ts'

/** How often to look at everything, in case a notification or a timer was missed. */
const fullLookEveryMs = 5_000
/** The least time between two looks, and the share of the time that looks may take if there are thousands of endpoints. */
const lookEveryMs = 20
const lookShare = 0.1

/**
 * Asks the queue which endpoints have something due, in steps of some thousand endpoints, and adds them to the due endpoints.
 * A look after a report passes over what was due before the last complete look; a full look passes over nothing.
 */
export class QueueLooks {
  readonly #db: Queryable
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #due: DueEndpoints
  /** The endpoint at which the next step begins. */
  #from = firstEndpoint
  /** The look in progress passes over what was due before `#passOverMs`, and is complete up to `#completeToMs`. */
  #passOverMs = 0
  #completeToMs = 0
  #isRequested = true
  #isFullRequested = true
  #mayLookAtMs = Number.NEGATIVE_INFINITY
  #fullLookAtMs = Number.NEGATIVE_INFINITY

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
    const isPending = this.#isRequested || this.#from !== firstEndpoint
    return isPending ? this.#mayLookAtMs : Math.max(this.#mayLookAtMs, this.#fullLookAtMs)
  }

  /** Takes one step if it is due. */
  async look(): Promise<void> {
    const startedAtMs = this.#clock.monotonicMs()
    if (startedAtMs < this.nextAtMs) return
    const isFirstStep = this.#from === firstEndpoint
    if (isFirstStep) {
      const isFull = this.#isFullRequested || startedAtMs >= this.#fullLookAtMs
      this.#isRequested = this.#isFullRequested = false
      this.#passOverMs = isFull ? 0 : this.#due.completeToMs
    }
    const { found, last, completeToMs } = await findDue(this.#db, this.#from, this.#passOverMs)
    if (isFirstStep) this.#completeToMs = completeToMs
    for (const endpoint of found) {
      if (this.#passOverMs === 0) this.#due.found(endpoint)
      else this.#due.add({ ...endpoint, dueFromMs: this.#passOverMs })
    }
    const nowMs = this.#clock.monotonicMs()
    this.#from = last ?? firstEndpoint
    this.#mayLookAtMs = startedAtMs + (nowMs - startedAtMs) / lookShare
    if (last !== null) return
    this.#due.completeToMs = this.#completeToMs
    this.#mayLookAtMs = Math.max(this.#mayLookAtMs, nowMs + lookEveryMs)
    if (this.#passOverMs === 0) this.#fullLookAtMs = nowMs + fullLookEveryMs
  }
}

import type { Clock } from '../context.ts'
import type { Queryable } from '../db/database.ts'

/** A receiver refuses a timestamp that is 300 s off; beyond this, we sign nothing (decisions §6). */
export const skewMsMax = 60_000
const checkEveryMs = 10_000

/**
 * Compares this process's clock with the database's, now and then. Between two checks the database's time goes on by the
 * monotonic clock, so that nobody who sets this machine's clock moves it.
 */
export class ClockSkew implements Disposable {
  readonly #db: Queryable
  readonly #clock: Clock
  #timer: NodeJS.Timeout | undefined
  /** What the database's clock is ahead of the monotonic one; null before the first check. */
  #offsetMs: number | null = null

  constructor(db: Queryable, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** The database's time, in milliseconds since the epoch; this process's before the first check. */
  get databaseMs(): number {
    return this.#offsetMs === null ? this.#clock.nowMs() : this.#clock.monotonicMs() + this.#offsetMs
  }

  /** Positive when this process is ahead. A clock that was set since the last check counts at once. */
  get skewMs(): number {
    return this.#clock.nowMs() - this.databaseMs
  }

  get tolerable(): boolean {
    return Math.abs(this.skewMs) <= skewMsMax
  }

  /** Checks once, and from then on every ten seconds. */
  async start(): Promise<void> {
    await this.check()
    this.#timer = setInterval(() => {
      // while the database is away nothing can be taken either; the last answer stands until it is back
      this.check().catch(() => {})
    }, checkEveryMs)
    this.#timer.unref()
  }

  async check(): Promise<void> {
    const before = this.#clock.monotonicMs()
    const [row] = await this.#db.query<{ now_ms: number }>(
      'select extract(epoch from clock_timestamp())::float8 * 1000 as now_ms',
    )
    const after = this.#clock.monotonicMs()
    if (row === undefined) return
    // the answer was made somewhere in between: what fits it is not changed, so that a slow answer moves no clock
    const [least, most] = [row.now_ms - after, row.now_ms - before]
    const fits = this.#offsetMs !== null && this.#offsetMs >= least && this.#offsetMs <= most
    if (!fits) this.#offsetMs = (least + most) / 2
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}

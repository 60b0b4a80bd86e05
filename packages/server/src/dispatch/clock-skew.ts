import type { Clock } from '../context.ts'
import type { Queryable } from '../db/database.ts'

/** A receiver refuses a timestamp that is 300 s off; beyond this, we sign nothing (decisions §6). */
export const skewMsMax = 60_000
const checkEveryMs = 10_000

/** Compares this process's clock with the database's, now and then. */
export class ClockSkew implements Disposable {
  readonly #db: Queryable
  readonly #clock: Clock
  #timer: NodeJS.Timeout | undefined
  #checkedSkewMs = 0
  #checkedLeadMs = 0

  constructor(db: Queryable, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Positive when this process is ahead. A clock that was set since the last check counts at once. */
  get skewMs(): number {
    return this.#checkedSkewMs + this.#leadMs() - this.#checkedLeadMs
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
    const before = this.#clock.nowMs()
    const [row] = await this.#db.query<{ now_ms: number }>(
      'select extract(epoch from clock_timestamp())::float8 * 1000 as now_ms',
    )
    const after = this.#clock.nowMs()
    if (row === undefined) return
    this.#checkedSkewMs = (before + after) / 2 - row.now_ms
    this.#checkedLeadMs = this.#leadMs()
  }

  /** How far the clock is ahead of one that nobody sets: it changes only when somebody does. */
  #leadMs(): number {
    return this.#clock.nowMs() - this.#clock.monotonicMs()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}

import type { Clock } from './context.ts'
import type { Queryable } from './db/database.ts'

/** Beyond this the process signs nothing: a receiver refuses a timestamp that is 300 s off. */
export const skewMsMax = 60_000
const checkEveryMs = 10_000

/**
 * Compares this process's clock with the database's. Between two checks it advances the database's time by the monotonic clock,
 * so that a change of this machine's clock does not affect it.
 */
export class ClockSkew implements Disposable {
  readonly #db: Queryable
  readonly #clock: Clock
  #timer: NodeJS.Timeout | undefined
  /** How far the database's clock is ahead of the monotonic one; null before the first check. */
  #offsetMs: number | null = null
  #roundTripMs = 0

  constructor(db: Queryable, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** The database's time in milliseconds since the epoch; before the first check, the time of this process. */
  get databaseMs(): number {
    return this.#offsetMs === null ? this.#clock.nowMs() : this.#clock.monotonicMs() + this.#offsetMs
  }

  /** Positive if this process is ahead. A change of its clock counts at once. */
  get skewMs(): number {
    return this.#clock.nowMs() - this.databaseMs
  }

  /** The duration of the last check: one round trip to the database. 0 before the first one. */
  get roundTripMs(): number {
    return this.#roundTripMs
  }

  get tolerable(): boolean {
    return Math.abs(this.skewMs) <= skewMsMax
  }

  /** Checks now, and then every ten seconds. */
  async start(): Promise<void> {
    await this.check()
    this.#timer = setInterval(() => {
      // without the database nothing can be claimed anyway, so the last result is good enough
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
    this.#roundTripMs = after - before
    if (row === undefined) return
    // the database answered at some moment in between; keep an offset that fits, so that a slow answer changes nothing
    const [least, most] = [row.now_ms - after, row.now_ms - before]
    const fits = this.#offsetMs !== null && this.#offsetMs >= least && this.#offsetMs <= most
    if (!fits) this.#offsetMs = (least + most) / 2
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}

import type { Clock } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { startWithinMs } from '../domain/leased-delivery.ts'
import type { Activity } from '../domain/activity.ts'
import { Loop } from './loop.ts'
import { recover } from './recover.ts'

export interface LeaseOptions {
  /** A connection of its own, so that nothing can delay a renewal. */
  db: Queryable
  clock: Pick<Clock, 'monotonicMs'>
  leaseMs: number
  attemptTimeoutMs: number
  process: ProcessFacts
  /** What the process is doing, for the dashboard. */
  activity: () => Activity
  /** The lease was lost, and with it all that the process held; `number` has changed. */
  onLost: () => void
  onError: (error: unknown) => void
}

export interface ProcessFacts {
  host: string
  role: 'all' | 'api' | 'dispatcher'
  version: string
  startedAtMs: number
}

/**
 * The row by which other processes see that this one is alive. While it is renewed, the process holds all queue rows with its
 * number. Once it expires, `recover` frees them.
 *
 * If a renewal finds no row, or another timeline of the database, the process registers again under a new number. After a
 * failover the new primary may still list deliveries under the old number that this process has settled; nothing is claimed or
 * handed over under a number of another timeline.
 */
export class Lease implements AsyncDisposable {
  readonly #options: LeaseOptions
  readonly #loop: Loop
  readonly #renewEveryMs: number
  #number = 0
  #endsAtMs = Number.NEGATIVE_INFINITY

  private constructor(options: LeaseOptions) {
    const { leaseMs, attemptTimeoutMs } = options
    this.#options = options
    // three tries before attempts can no longer start
    this.#renewEveryMs = Math.min(1_000, (leaseMs - attemptTimeoutMs - startWithinMs) / 3)
    this.#loop = new Loop(async () => await this.#renew(), {
      pollEveryMs: this.#renewEveryMs,
      onError: options.onError,
    })
  }

  static async open(options: LeaseOptions): Promise<Lease> {
    const lease = new Lease(options)
    await lease.#register()
    lease.#loop.start()
    return lease
  }

  /** The number of this process; it changes if the lease is lost, and is never used again. */
  get number(): number {
    return this.#number
  }

  /** Whether an attempt that starts now must end at least a second before the lease. */
  get coversAttempt(): boolean {
    const leftMs = this.#endsAtMs - this.#options.clock.monotonicMs()
    return leftMs >= this.#options.attemptTimeoutMs + startWithinMs
  }

  /** Ends the lease; what is still held is due at once. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#loop.stop()
    await recover(this.#options.db, { number: this.#number }).catch(this.#options.onError)
  }

  async #register(): Promise<void> {
    const { db, clock, leaseMs, process } = this.#options
    const sentAtMs = clock.monotonicMs()
    const [row] = await db.query<{ number: number }>(
      `insert into process (host, role, version, started_at, leased_until)
       values ($1, $2, $3, $4, clock_timestamp() + $5::float8 * interval '1 millisecond')
       returning number`,
      [process.host, process.role, process.version, new Date(process.startedAtMs), leaseMs],
    )
    if (row === undefined) throw new Error('the process could not be registered')
    this.#number = row.number
    this.#endsAtMs = sentAtMs + leaseMs
  }

  async #renew(): Promise<{ nextInMs: number }> {
    const { db, clock, leaseMs, activity, onLost } = this.#options
    const { inFlight, held, unsettled, perSecond } = activity()
    const { accepted, delivered, failed } = perSecond
    const sentAtMs = clock.monotonicMs()
    const [row] = await db.query<{ is_same: boolean }>(
      // changes no key column, so that it does not wait for statements that locked the row for key share
      `update process set leased_until = clock_timestamp() + $2::float8 * interval '1 millisecond', last_seen_at = now(),
         in_flight = $3, held = $4, unsettled = $5, accepted_per_second = $6, delivered_per_second = $7,
         failed_per_second = $8
       where number = $1
       returning timeline = wal_timeline() as is_same`,
      [this.#number, leaseMs, inFlight, held, unsettled, accepted, delivered, failed],
    )
    if (row?.is_same === true) {
      this.#endsAtMs = sentAtMs + leaseMs
    } else {
      this.#endsAtMs = Number.NEGATIVE_INFINITY
      if (row !== undefined) await recover(db, { number: this.#number })
      await this.#register()
      onLost()
    }
    return { nextInMs: this.#renewEveryMs }
  }
}

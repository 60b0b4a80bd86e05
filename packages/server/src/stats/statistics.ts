import type { Queryable } from '../db/database.ts'
import {
  type AttemptCount,
  AttemptCounts,
  type CountedAttempt,
  type GivenUpDelivery,
} from './attempt-counts.ts'
import { writeCounts } from './write-counts.ts'

export interface StatisticsOptions {
  db: Queryable
  writeEveryMs: number
  onError: (error: unknown) => void
}

/**
 * Counts the attempts of this process and appends them every few seconds as rows of its own, away from the hot path.
 *
 * Each attempt bears the number under which its process counted. A process that dies leaves its number behind, and
 * `recountLost` counts from its attempts what it had not written. One that merely stood still finds itself declared
 * dead: it takes a new number, forgets what it counted under the old one, and leaves that to be recounted once more.
 */
export class Statistics implements AsyncDisposable {
  readonly #options: StatisticsOptions
  readonly #counts = new AttemptCounts()
  #number: number
  #countedUntil: Date
  #write = 1
  /** Being written, or written with an answer that never came. */
  #sending: AttemptCount[] | null = null
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  private constructor(options: StatisticsOptions, registered: { number: number; counted_until: Date }) {
    this.#options = options
    this.#number = registered.number
    this.#countedUntil = registered.counted_until
  }

  static async open(options: StatisticsOptions): Promise<Statistics> {
    const statistics = new Statistics(options, await register(options.db))
    statistics.#timer = setInterval(() => void statistics.write(), options.writeEveryMs)
    statistics.#timer.unref()
    return statistics
  }

  /** What each attempt that begins now is to be marked with. */
  get processNumber(): number {
    return this.#number
  }

  /** Counts an attempt that is settled; one that was begun under an earlier number is recounted from its row. */
  count(attempt: CountedAttempt, processNumber: number): void {
    if (processNumber === this.#number) this.#counts.add(attempt)
  }

  /** Counts a delivery that was given up without another attempt: no attempt can tell of it, should this process die. */
  countGivenUp(delivery: GivenUpDelivery): void {
    this.#counts.addGivenUp(delivery)
  }

  /** Writes what was counted; what cannot be written now is tried again with the next. */
  async write(): Promise<void> {
    this.#running = this.#running.then(async () => {
      try {
        await this.#writeOnce()
      } catch (error) {
        this.#options.onError(error)
      }
    })
    await this.#running
  }

  /** Writes the rest and signs off; if that fails, the rest is recounted. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.write()
    if (this.#sending !== null || this.#counts.size > 0) return
    await this.#options.db
      .query('delete from stat_process where number = $1', [this.#number])
      .catch(this.#options.onError)
  }

  async #writeOnce(): Promise<void> {
    this.#sending ??= this.#counts.take()
    const countedUntil = await writeCounts(this.#options.db, this.#number, this.#write, this.#sending)
    this.#sending = null
    if (countedUntil === null) return await this.#beginAnew()
    this.#write++
    this.#countedUntil = countedUntil
  }

  async #beginAnew(): Promise<void> {
    const { db } = this.#options
    await db.query(
      // heard of now, so that what is under way with this number is settled before it is recounted
      `insert into stat_process (number, counted_until) values ($1, $2) on conflict do nothing`,
      [this.#number, this.#countedUntil],
    )
    const { number, counted_until } = await register(db)
    this.#counts.take()
    this.#number = number
    this.#countedUntil = counted_until
    this.#write = 1
  }
}

async function register(db: Queryable): Promise<{ number: number; counted_until: Date }> {
  const [row] = await db.query<{ number: number; counted_until: Date }>(
    'insert into stat_process default values returning number, counted_until',
  )
  if (row === undefined) throw new Error('an insert returns its row')
  return row
}

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
 * Counts the attempts of this process and appends the counts every few seconds as its own rows, outside the hot path.
 *
 * Each attempt has the number of its process. If a process dies, `recountLost` uses its attempts to count what it did not
 * write. A process that only stopped for a while may be declared dead. It then takes a new number, discards its unwritten
 * counts, and lets another process recount them.
 */
export class Statistics implements AsyncDisposable {
  readonly #options: StatisticsOptions
  readonly #counts = new AttemptCounts()
  #number: number
  #countedUntil: Date
  #write = 1
  /** Counts that are being written, or whose write got no answer. */
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

  /** The number for attempts that start now. */
  get processNumber(): number {
    return this.#number
  }

  /** Counts a settled attempt. If it has an older number, it is recounted from its row instead. */
  count(attempt: CountedAttempt, processNumber: number): void {
    if (processNumber === this.#number) this.#counts.add(attempt)
  }

  /** Counts a delivery that was given up without another attempt. If this process dies, this count is lost. */
  countGivenUp(delivery: GivenUpDelivery): void {
    this.#counts.addGivenUp(delivery)
  }

  /** Writes the counts. If that fails, the next call tries again. */
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

  /** Writes the last counts and removes the number. If that fails, another process recounts. */
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
    if (countedUntil === null) return await this.#restart()
    this.#write++
    this.#countedUntil = countedUntil
  }

  async #restart(): Promise<void> {
    const { db } = this.#options
    await db.query(
      // marks the old number as alive now, so that attempts in flight with it are settled before the recount
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
  if (row === undefined) throw new Error('the insert returned no row')
  return row
}

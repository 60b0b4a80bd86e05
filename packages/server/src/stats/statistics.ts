import type { Queryable } from '../db/database.ts'
import { AttemptCounts, type CountedAttempt, type GivenUpDelivery } from './attempt-counts.ts'
import { type CountedEvent, OutcomeCounts } from './outcome-counts.ts'
import { type Counts, writeCounts } from './write-counts.ts'

export interface StatisticsOptions {
  db: Queryable
  writeEveryMs: number
  onError: (error: unknown) => void
}

/**
 * Counts the attempts and the outcomes of this process and appends the counts every few seconds as its own rows, outside the hot
 * path.
 *
 * Each attempt and each event has the number of its process. If a process dies, `recountLost` uses them to count what it did
 * not write. A process that only stopped for a while may be declared dead. It then takes a new number, discards its unwritten
 * counts, and lets another process recount them. It does the same if it does not know what the database has stored.
 */
export class Statistics implements AsyncDisposable {
  readonly #options: StatisticsOptions
  readonly #attempts = new AttemptCounts()
  readonly #outcomes = new OutcomeCounts()
  #number: number
  #countedUntil: Date
  #write = 1
  /** Counts that are being written, or whose write got no answer. */
  #sending: Counts | null = null
  #isAnswerLost = false
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

  /** The number for attempts that start now, and for events that are stored now. */
  get processNumber(): number {
    return this.#number
  }

  /** Counts a settled attempt. If it has an older number, it is recounted from its row instead. */
  count(attempt: CountedAttempt, processNumber: number): void {
    if (processNumber === this.#number) this.#attempts.add(attempt)
  }

  /** Counts events after their commit, like attempts. */
  countOutcomes(events: readonly CountedEvent[], processNumber: number): void {
    if (processNumber !== this.#number) return
    for (const event of events) this.#outcomes.add(event)
  }

  /** Counts a delivery that was given up without another attempt. If this process dies, this count is lost. */
  countGivenUp(delivery: GivenUpDelivery): void {
    this.#attempts.addGivenUp(delivery)
  }

  /** Events may have been stored that nobody counts, because the answer of the database was lost. */
  answerLost(): void {
    this.#isAnswerLost = true
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
    if (!this.#isAnswerLost) await this.write()
    if (this.#isAnswerLost || this.#sending !== null) return
    if (this.#attempts.size > 0 || this.#outcomes.size > 0) return
    await this.#options.db
      .query('delete from stat_process where number = $1', [this.#number])
      .catch(this.#options.onError)
  }

  async #writeOnce(): Promise<void> {
    if (this.#isAnswerLost) return await this.#restart()
    this.#sending ??= { attempts: this.#attempts.take(), outcomes: this.#outcomes.take() }
    const countedUntil = await writeCounts(this.#options.db, this.#number, this.#write, this.#sending)
    this.#sending = null
    if (countedUntil === null) return await this.#restart()
    this.#write++
    this.#countedUntil = countedUntil
  }

  async #restart(): Promise<void> {
    const { db } = this.#options
    await db.query(
      // marks the old number as alive now, so that what is under way with it is stored before the recount
      `insert into stat_process (number, counted_until) values ($1, $2)
       on conflict (number) do update set heard_at = now()`,
      [this.#number, this.#countedUntil],
    )
    const { number, counted_until } = await register(db)
    // until now, everything was stored with the old number
    this.#isAnswerLost = false
    this.#sending = null
    this.#attempts.take()
    this.#outcomes.take()
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

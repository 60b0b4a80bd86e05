import type { Clock } from '../context.ts'
import { Counts } from './counts.ts'
import type { Settlement } from './settle.ts'

/** Most results in one statement. */
const batchMax = 1_000

export interface SettleLoopOptions {
  /**
   * From the beginning of one statement to that of the next, unless it is full. A statement for two results costs the database
   * half as much as one for twenty, and what it costs, whoever reports and whoever receives waits for.
   */
  spacingMs: number
  settle: (settlements: readonly Settlement[]) => Promise<void>
  /** Of results that an earlier `settle` may have written although it failed, those that it did not. */
  unwritten: (settlements: readonly Settlement[]) => Promise<Settlement[]>
  /** Called after the commit: the deliveries are no longer this process's. */
  onSettled: (settlements: readonly Settlement[]) => void
  onError: (error: unknown) => void
  clock: Pick<Clock, 'monotonicMs'>
  /** Passes time. */
  rest: (ms: number) => Promise<void>
  /** How long to wait before a refused batch is tried again. */
  retryDelayMs: number
}

/**
 * Gathers results while a settle is under way into the next one, and for a moment longer unless they fill it: the first
 * after a while is written at once. A result is kept until it is written: while the database is away, the batch is tried
 * again and again, and nothing new is taken that could pile up behind it. What was written by a statement whose answer
 * was lost is not written again.
 */
export class SettleLoop {
  readonly #options: SettleLoopOptions
  #gathered: Settlement[] = []
  /** Those of the statement under way. */
  #writing = 0
  /** How many of the gathered each account has. */
  readonly #byAccount = new Counts()
  #running: Promise<void> | undefined
  /** When the last statement began. */
  #begunAtMs = Number.NEGATIVE_INFINITY

  constructor(options: SettleLoopOptions) {
    this.#options = options
  }

  /** Results that are not written yet. */
  get unsettled(): number {
    return this.#gathered.length + this.#writing
  }

  /** Of these, those that wait for the statement before them. */
  get gathered(): number {
    return this.#gathered.length
  }

  /** Those of one account that do. */
  gatheredOf(accountId: string): number {
    return this.#byAccount.of(accountId)
  }

  add(settlement: Settlement): void {
    this.#gathered.push(settlement)
    this.#count([settlement], 1)
    this.#running ??= this.#run()
  }

  /** Resolves when everything that was added is written. */
  async drain(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    // results of the same turn of the event loop share a statement
    await new Promise(resolve => setImmediate(resolve))
    let hasFailed = false
    while (this.#gathered.length > 0) {
      await this.#keepApart()
      const batch = this.#nextBatch()
      this.#writing = batch.length
      try {
        const left = hasFailed ? await this.#options.unwritten(batch) : batch
        if (left.length > 0) await this.#options.settle(left)
        hasFailed = false
        this.#writing = 0
        this.#options.onSettled(batch)
      } catch (error) {
        hasFailed = true
        this.#gathered.unshift(...batch)
        this.#count(batch, 1)
        this.#writing = 0
        this.#options.onError(error)
        await this.#options.rest(this.#options.retryDelayMs)
      }
    }
    this.#running = undefined
  }

  async #keepApart(): Promise<void> {
    const { clock, rest, spacingMs } = this.#options
    const leftMs = this.#begunAtMs + spacingMs - clock.monotonicMs()
    if (leftMs > 0 && this.#gathered.length < batchMax) await rest(leftMs)
    this.#begunAtMs = clock.monotonicMs()
  }

  /** At most one result of each delivery: a statement can move a row only once. */
  #nextBatch(): Settlement[] {
    const batch: Settlement[] = []
    const later: Settlement[] = []
    const seen = new Set<string>()
    for (const settlement of this.#gathered) {
      const { deliveryId } = settlement.taken
      if (batch.length < batchMax && !seen.has(deliveryId)) {
        seen.add(deliveryId)
        batch.push(settlement)
      } else {
        later.push(settlement)
      }
    }
    this.#gathered = later
    this.#count(batch, -1)
    return batch
  }

  #count(settlements: readonly Settlement[], change: 1 | -1): void {
    for (const { taken } of settlements) this.#byAccount.add(taken.accountId, change)
  }
}

import type { Clock } from '../context.ts'
import type { BulkPace } from '../domain/bulk-pace.ts'
import { nobody } from './next-group.ts'

export interface BulkTurnsOptions {
  clock: Pick<Clock, 'monotonicMs'>
  pace: BulkPace
  /** Passes the time for which bulk makes way. */
  rest: (ms: number) => Promise<void>
  /** Stores what was held back while the outcomes of these accounts were stored: before the next turn. Rejects never. */
  letGo: (accountIds: ReadonlySet<string>) => Promise<void>
}

/** What stores in bulk takes turns, one after the other, with the rests within and between them that the pace asks for. */
export class BulkTurns {
  readonly #options: BulkTurnsOptions
  #last: Promise<void> = Promise.resolve()
  #restsUntilMs = Number.NEGATIVE_INFINITY
  #storing: ReadonlySet<string> = nobody
  #worksFromMs = 0
  #pausedMs = 0

  constructor(options: BulkTurnsOptions) {
    this.#options = options
  }

  /** Accounts whose outcomes are being stored in bulk, and whose endpoints are locked therefore. */
  get storing(): ReadonlySet<string> {
    return this.#storing
  }

  /**
   * Runs `work` when all that came before has ended, well or not; answers or throws what it does.
   * @param accountIds whose outcomes it stores, one for each
   */
  async take<T>(accountIds: readonly string[], work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => await this.#run(accountIds, work))
    const letGo = async (): Promise<void> => await this.#options.letGo(new Set(accountIds))
    this.#last = turn.then(letGo, letGo)
    return await turn
  }

  /** Makes way between two pieces of what has its turn. */
  async pause(): Promise<void> {
    const { clock, pace, rest } = this.#options
    const fromMs = clock.monotonicMs()
    const pauseMs = pace.pauseMsAfterPiece(this.#worksFromMs, fromMs, this.#pausedMs)
    if (pauseMs > 0) await rest(pauseMs)
    this.#worksFromMs = clock.monotonicMs()
    this.#pausedMs += this.#worksFromMs - fromMs
  }

  /** Resolves when all turns that were asked for are over. */
  async drain(): Promise<void> {
    await this.#last
  }

  async #run<T>(accountIds: readonly string[], work: () => Promise<T>): Promise<T> {
    const { clock, pace, rest } = this.#options
    const restMs = this.#restsUntilMs - clock.monotonicMs()
    if (restMs > 0) await rest(restMs)
    const fromMs = clock.monotonicMs()
    this.#worksFromMs = fromMs
    this.#pausedMs = 0
    this.#storing = new Set(accountIds)
    try {
      return await work()
    } finally {
      this.#storing = nobody
      const untilMs = clock.monotonicMs()
      const stored = { fromMs, untilMs, pausedMs: this.#pausedMs }
      this.#restsUntilMs = untilMs + pace.restMsAfterReport(stored, accountIds)
    }
  }
}

import type { Clock } from '../context.ts'
import type { BulkPace } from '../domain/bulk-pace.ts'

export interface BulkTurnsOptions {
  clock: Pick<Clock, 'monotonicMs'>
  pace: BulkPace
  /** Passes the time for which bulk makes way. */
  rest: (ms: number) => Promise<void>
}

/** What stores in bulk takes turns, one after the other, with the rests between them that the pace asks for. */
export class BulkTurns {
  readonly #options: BulkTurnsOptions
  #last: Promise<unknown> = Promise.resolve()
  #restsUntilMs = Number.NEGATIVE_INFINITY

  constructor(options: BulkTurnsOptions) {
    this.#options = options
  }

  /**
   * Runs `work` when all that came before has ended, well or not; answers or throws what it does.
   * @param accountIds whose outcomes it stores, one for each
   */
  async take<T>(accountIds: readonly string[], work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => await this.#run(accountIds, work))
    this.#last = turn.catch(() => {})
    return await turn
  }

  async #run<T>(accountIds: readonly string[], work: () => Promise<T>): Promise<T> {
    const { clock, pace, rest } = this.#options
    const restMs = this.#restsUntilMs - clock.monotonicMs()
    if (restMs > 0) await rest(restMs)
    const fromMs = clock.monotonicMs()
    try {
      return await work()
    } finally {
      const untilMs = clock.monotonicMs()
      this.#restsUntilMs = untilMs + pace.restMsAfterReport(fromMs, untilMs, accountIds)
    }
  }
}

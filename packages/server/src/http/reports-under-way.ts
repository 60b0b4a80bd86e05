import type { Clock } from '../context.ts'
import { AppError } from '../errors.ts'

/** Whoever has waited so long for an answer gets no other report in until then. */
const waitedMsMax = 3_000

/**
 * The reports that have begun and are not answered yet. When more arrives than can be stored, a caller is refused from
 * the moment on at which his oldest report has waited too long, wherever it waits: so what is accepted is answered in
 * bounded time, and those who report little notice nothing.
 */
export class ReportsUnderWay {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  /** By caller, oldest first. */
  readonly #begun = new Map<string, Set<{ sinceMs: number }>>()

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  /**
   * The report is under way until this is disposed.
   * @throws AppError `overloaded`, at once
   */
  begin(caller: string): Disposable {
    const begun = this.#begun.get(caller) ?? new Set()
    const [oldest] = begun
    const report = { sinceMs: this.#clock.monotonicMs() }
    if (oldest !== undefined && report.sinceMs - oldest.sinceMs > waitedMsMax) {
      throw new AppError(
        'overloaded',
        'More is arriving than can be stored; repeat the request after a second.',
      )
    }
    this.#begun.set(caller, begun.add(report))
    return {
      [Symbol.dispose]: () => {
        begun.delete(report)
        if (begun.size === 0) this.#begun.delete(caller)
      },
    }
  }
}

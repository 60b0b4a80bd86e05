import type { Clock } from '../context.ts'
import { LinkedList } from '../collections/linked-list.ts'
import { AppError } from '../errors.ts'

/** If a caller's oldest report waits longer than this, their new reports are refused. */
const waitedMsMax = 3_000

/** Above this number of callers, those without a report in progress are removed. */
const callersMax = 10_000

/**
 * The reports in progress. If more arrives than the database can store, callers whose oldest report waits too long are
 * refused. So accepted reports are answered in bounded time, and callers who report little are not affected.
 */
export class ReportsUnderWay {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  /** The start times of each caller's reports, oldest first. */
  readonly #begun = new Map<string, LinkedList<number>>()

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  /**
   * Starts a report. It is in progress until the result is disposed.
   * @throws AppError `overloaded`
   */
  begin(caller: string): Disposable {
    const begun = this.#begun.get(caller) ?? this.#enter(caller)
    const nowMs = this.#clock.monotonicMs()
    if (begun.first !== null && nowMs - begun.first.item > waitedMsMax) {
      throw new AppError(
        'overloaded',
        'More outcomes arrive than Posthorn can store. Repeat the request after a second.',
      )
    }
    const node = begun.append(nowMs)
    return { [Symbol.dispose]: () => begun.remove(node) }
  }

  #enter(caller: string): LinkedList<number> {
    if (this.#begun.size >= callersMax) {
      for (const [known, begun] of this.#begun) if (begun.size === 0) this.#begun.delete(known)
    }
    const begun = new LinkedList<number>()
    this.#begun.set(caller, begun)
    return begun
  }
}

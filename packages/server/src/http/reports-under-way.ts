import type { Clock } from '../context.ts'
import { LinkedList } from '../collections/linked-list.ts'
import { AppError } from '../errors.ts'

/** Whoever has waited so long for an answer gets no other report in until then. */
const waitedMsMax = 3_000

/** Callers remembered before those without a report under way are forgotten. */
const callersMax = 10_000

/**
 * The reports that have begun and are not answered yet. When more arrives than can be stored, a caller is refused from
 * the moment on at which his oldest report has waited too long, wherever it waits: so what is accepted is answered in
 * bounded time, and those who report little notice nothing.
 */
export class ReportsUnderWay {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  /** By caller, when each began, oldest first. */
  readonly #begun = new Map<string, LinkedList<number>>()

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  /**
   * The report is under way until this is disposed.
   * @throws AppError `overloaded`, at once
   */
  begin(caller: string): Disposable {
    const begun = this.#begun.get(caller) ?? this.#enter(caller)
    const nowMs = this.#clock.monotonicMs()
    if (begun.first !== null && nowMs - begun.first.item > waitedMsMax) {
      throw new AppError(
        'overloaded',
        'More outcomes arrive than can be stored; repeat the request after a second.',
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

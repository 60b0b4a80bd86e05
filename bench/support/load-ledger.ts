import type { ClientAnswer } from './client-connection.ts'
import type { LoadReport } from './load-plan.ts'

/** Counts the requests and responses of one run of a load generator. */
export class LoadLedger {
  readonly #outcomesPerRequest: number
  readonly #lateMs: number[] = []
  readonly #dueAtMs: number[] = []
  readonly #answerMs: number[] = []
  readonly #refused: Record<string, number> = {}
  #accepted = 0
  #unanswered = 0
  #firstMs = Number.NaN
  #lastMs = Number.NaN

  constructor(outcomesPerRequest: number) {
    this.#outcomesPerRequest = outcomesPerRequest
  }

  sent(dueAtMs: number): void {
    const nowMs = epochMs()
    if (this.#lateMs.length === 0) this.#firstMs = nowMs
    this.#lateMs.push(nowMs - dueAtMs)
  }

  /** @param answer null if the connection ended first */
  ended(dueAtMs: number, answer: ClientAnswer | null): void {
    this.#lastMs = epochMs()
    if (answer === null) {
      this.#unanswered++
    } else if (answer.status >= 300) {
      this.#refused[answer.status] = (this.#refused[answer.status] ?? 0) + 1
    } else {
      this.#accepted += acceptedBy(answer) ?? this.#outcomesPerRequest
      this.#dueAtMs.push(dueAtMs)
      this.#answerMs.push(this.#lastMs - dueAtMs)
    }
  }

  report(): LoadReport {
    return {
      requests: this.#lateMs.length,
      accepted: this.#accepted,
      refused: this.#refused,
      unanswered: this.#unanswered,
      elapsedMs: this.#lastMs - this.#firstMs,
      answered: {
        dueAtMs: Float64Array.from(this.#dueAtMs),
        answerMs: Float64Array.from(this.#answerMs),
      },
      lateMs: Float64Array.from(this.#lateMs),
    }
  }
}

function acceptedBy({ body }: ClientAnswer): number | null {
  const count = /"accepted":(\d+)/.exec(body)?.[1]
  return count === undefined ? null : Number(count)
}

function epochMs(): number {
  return performance.timeOrigin + performance.now()
}

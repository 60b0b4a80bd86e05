import type { Rates } from '../domain/activity.ts'
const secondsKept = 60

/** Counts the work of a process in the last minute, by second. */
export class Throughput {
  readonly #monotonicMs: () => number
  readonly #startedAtMs: number
  readonly #seconds: Second[] = Array.from({ length: secondsKept }, () => ({ number: -1, ...nothing }))

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs
    this.#startedAtMs = monotonicMs()
  }

  count(what: keyof Rates, times: number): void {
    const number = Math.floor(this.#monotonicMs() / 1_000)
    const second = this.#seconds[number % secondsKept]
    if (second === undefined) return
    if (second.number !== number) Object.assign(second, nothing, { number })
    second[what] += times
  }

  /** The average of the last minute, or since the start of the process. */
  perSecond(): Rates {
    const nowMs = this.#monotonicMs()
    const first = Math.floor(nowMs / 1_000) - secondsKept + 1
    const recent = this.#seconds.filter(second => second.number >= first)
    const seconds = Math.min(secondsKept, Math.max(1, (nowMs - this.#startedAtMs) / 1_000))
    const rate = (what: keyof Rates): number =>
      recent.reduce((sum, second) => sum + second[what], 0) / seconds
    return { accepted: rate('accepted'), delivered: rate('delivered'), failed: rate('failed') }
  }
}

interface Second extends Rates {
  number: number
}

const nothing: Rates = { accepted: 0, delivered: 0, failed: 0 }

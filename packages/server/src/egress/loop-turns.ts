import { performance } from 'node:perf_hooks'

/**
 * How long ago the loop may have looked at the sockets for what it heard then to be believed. What a receiver says is on
 * its way for longer.
 */
const believedMs = 2

/**
 * Counts the turns of the event loop, as far as somebody asks. What was received in a turn is known when its callbacks
 * have run; what came since then is known only when the loop has looked at the sockets again.
 */
export class LoopTurns {
  readonly #busyMs: () => number
  #current = 0
  #next: Array<() => void> = []
  #afterNext: Array<() => void> = []
  #scheduled = false
  /** How long the loop had been busy in all when the last turn ended that was counted: it has looked since. */
  #busyUntilMs = Number.NEGATIVE_INFINITY

  /** @param busyMs how long the loop has been busy in all: as long as it exists but for what it waited for sockets and timers */
  constructor(busyMs: () => number) {
    this.#busyMs = busyMs
  }

  /** The number of this turn. */
  get current(): number {
    this.#schedule()
    return this.#current
  }

  /**
   * Runs this once it is known what all sockets said until a moment ago: at the end of this turn, or, where it has taken
   * long or may have, of the next one.
   */
  afterLooking(run: () => void): void {
    this.#afterNext.push(run)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#scheduled = false
    this.#current += 1
    const due = this.#next
    const hasJustLooked = this.#busyMs() - this.#busyUntilMs <= believedMs
    if (hasJustLooked) due.push(...this.#afterNext)
    this.#next = hasJustLooked ? [] : this.#afterNext
    this.#afterNext = []
    if (this.#next.length > 0) this.#schedule()
    for (const run of due) run()
    this.#busyUntilMs = this.#busyMs()
  }
}

/** How long this thread's event loop has been busy since the process began, in milliseconds. */
export function loopBusyMs(): number {
  return performance.now() - performance.nodeTiming.idleTime
}

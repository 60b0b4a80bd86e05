/**
 * Counts the turns of the event loop, as far as somebody asks. What was received in a turn is known when its callbacks
 * run; what came since then is known only when the loop has looked at the sockets again.
 */
export class LoopTurns {
  #current = 0
  #next: Array<() => void> = []
  #afterNext: Array<() => void> = []
  #scheduled = false

  /** The number of this turn. */
  get current(): number {
    this.#schedule()
    return this.#current
  }

  /** Runs this once the loop has looked at all sockets again: at the end of the next turn, not of this one. */
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
    this.#next = this.#afterNext
    this.#afterNext = []
    if (this.#next.length > 0) this.#schedule()
    for (const run of due) run()
  }
}

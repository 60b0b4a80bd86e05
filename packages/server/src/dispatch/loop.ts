/**
 * Runs `round` when woken, when its timer fires, and at least every `pollEveryMs`; never two at once. A round returns when it
 * wants to run again.
 */
export class Loop {
  readonly #round: () => Promise<{ nextInMs: number | null }>
  readonly #options: { pollEveryMs: number; onError: (error: unknown) => void }
  #timer: NodeJS.Timeout | undefined
  #firesAtMs = Number.POSITIVE_INFINITY
  #running: Promise<void> | undefined
  #requested = false
  #stopped = true

  constructor(
    round: () => Promise<{ nextInMs: number | null }>,
    options: { pollEveryMs: number; onError: (error: unknown) => void },
  ) {
    this.#round = round
    this.#options = options
  }

  start(): void {
    this.#stopped = false
    this.wake()
  }

  /** Runs a round now, or after the current one. */
  wake(): void {
    this.#requested = true
    if (!this.#stopped) this.#running ??= this.#run()
  }

  /** Runs a round in this many milliseconds, or earlier. */
  wakeWithin(ms: number): void {
    if (!this.#stopped && performance.now() + ms < this.#firesAtMs) this.#setTimer(ms)
  }

  /** Resolves when the current round is over; no other follows. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#requested && !this.#stopped) {
      this.#requested = false
      // calls of `wake` in the same iteration of the event loop share a round
      await new Promise(resolve => setImmediate(resolve))
      const { pollEveryMs, onError } = this.#options
      let nextInMs: number | null = null
      try {
        nextInMs = (await this.#round()).nextInMs
      } catch (error) {
        onError(error)
      }
      if (nextInMs === 0) this.#requested = true
      else this.#setTimer(Math.min(nextInMs ?? pollEveryMs, pollEveryMs))
    }
    this.#running = undefined
  }

  #setTimer(ms: number): void {
    clearTimeout(this.#timer)
    if (this.#stopped) return
    this.#firesAtMs = performance.now() + ms
    // a timer may fire a little early by the database's clock
    this.#timer = setTimeout(() => this.wake(), ms + 1)
    this.#timer.unref()
  }
}

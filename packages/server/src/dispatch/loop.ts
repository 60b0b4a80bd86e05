/**
 * Runs `round` when woken, when its timer rings, and every `pollEveryMs` as a safety net; never two at once. A round
 * says when it wants to run again.
 */
export class Loop {
  readonly #round: () => Promise<{ nextInMs: number | null }>
  readonly #pollEveryMs: number
  readonly #onError: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #rings = Number.POSITIVE_INFINITY
  #running: Promise<void> | undefined
  #wanted = false
  #stopped = true

  constructor(
    round: () => Promise<{ nextInMs: number | null }>,
    options: { pollEveryMs: number; onError: (error: unknown) => void },
  ) {
    this.#round = round
    this.#pollEveryMs = options.pollEveryMs
    this.#onError = options.onError
  }

  start(): void {
    this.#stopped = false
    this.wake()
  }

  /** Runs a round as soon as the one under way, if any, has ended. */
  wake(): void {
    this.#wanted = true
    if (!this.#stopped) this.#running ??= this.#run()
  }

  /** Something becomes due in so many milliseconds: rings then, if nothing rings before. */
  timerMayHaveChanged(inMs: number | null): void {
    if (this.#stopped || inMs === null || performance.now() + inMs >= this.#rings) return
    this.#ringIn(inMs)
  }

  /** Resolves when the round under way has ended; none follows. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#wanted && !this.#stopped) {
      this.#wanted = false
      // wake-ups of the same turn of the event loop are one
      await new Promise(resolve => setImmediate(resolve))
      let nextInMs: number | null = null
      try {
        nextInMs = (await this.#round()).nextInMs
      } catch (error) {
        this.#onError(error)
      }
      if (nextInMs === 0) this.#wanted = true
      else this.#ringIn(Math.min(nextInMs ?? this.#pollEveryMs, this.#pollEveryMs))
    }
    this.#running = undefined
  }

  #ringIn(inMs: number): void {
    clearTimeout(this.#timer)
    if (this.#stopped) return
    this.#rings = performance.now() + inMs
    // a timer may ring a little early by the database's clock
    this.#timer = setTimeout(() => this.wake(), inMs + 1)
    this.#timer.unref()
  }
}

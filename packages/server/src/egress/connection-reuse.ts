const refusedMs = 600_000

/**
 * Whether connections to one origin carry more than one request. A receiver that sends bytes nobody asked for, or closes
 * without saying so, gets one connection for each request, for ten minutes. Before the first connection to an origin is
 * reused it has to stay quiet for a moment after its answer: an unrequested answer that arrives after the next request
 * was written cannot be told from the right one.
 */
export class ConnectionReuse {
  readonly #monotonicMs: () => number
  #proven = false
  #refusedUntilMs = Number.NEGATIVE_INFINITY

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs
  }

  get isRefused(): boolean {
    return this.#monotonicMs() < this.#refusedUntilMs
  }

  /** A connection stayed quiet after an answer. */
  get isProven(): boolean {
    return this.#proven
  }

  prove(): void {
    this.#proven = true
  }

  refuse(): void {
    this.#proven = false
    this.#refusedUntilMs = this.#monotonicMs() + refusedMs
  }
}

/** So many connections to an origin may be open without anybody waiting: as many as one endpoint has by default. */
const openedFreely = 20
/** What one waits for at most before anything is known of how long opening takes, and ever. */
const firstWaitMs = 20
const longestWaitMs = 100
/** In one go at most this part of those that are open is opened in addition. */
const growth = 8

/** An attempt that has no connection yet. */
export interface Waiter {
  /** It has ended: nothing is to be done for it any more. */
  readonly settled: boolean
  /** A connection to its origin is idle. */
  takeIdle(): void
  openOwn(): void
}

/**
 * The attempts at one origin that wait for one of its connections to become free. Where many endpoints share a host,
 * hundreds of attempts begin at once; a connection of its own for each would cost more than the requests, with TLS ten
 * times as much. So whoever comes when twenty are open waits for half of the time that opening takes, and then opens one:
 * at worst it has lost that half. Their number grows in steps, because opening many at once keeps this process from
 * hearing the answers that would free the others.
 */
export class ConnectionLine {
  readonly #monotonicMs: () => number
  #open = 0
  /** Moving average of how long opening takes. */
  #openingMs: number | null = null
  #waiting: Array<{ waiter: Waiter; sinceMs: number }> = []
  #timer: NodeJS.Timeout | undefined

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs
  }

  /** Whether a connection may be opened without waiting. */
  get isFree(): boolean {
    return this.#open < openedFreely
  }

  /** One more is being opened; `closed` follows, whatever becomes of it. */
  opening(): void {
    this.#open += 1
  }

  opened(tookMs: number): void {
    this.#openingMs = this.#openingMs === null ? tookMs : this.#openingMs * 0.8 + tookMs * 0.2
  }

  closed(): void {
    this.#open -= 1
    if (this.isFree) this.#first()?.openOwn()
  }

  /** Calls `takeIdle` when a connection becomes free, or `openOwn` when it has waited long enough. */
  wait(waiter: Waiter): void {
    this.#waiting.push({ waiter, sinceMs: this.#monotonicMs() })
    if (this.#timer === undefined) this.#arm()
  }

  /** A connection is idle now. */
  becameIdle(): void {
    this.#first()?.takeIdle()
  }

  get #waitMs(): number {
    return Math.min(longestWaitMs, this.#openingMs === null ? firstWaitMs : this.#openingMs / 2)
  }

  #first(): Waiter | undefined {
    for (;;) {
      const first = this.#waiting.shift()
      if (first === undefined || !first.waiter.settled) return first?.waiter
    }
  }

  #openForThoseWhoWaited(): void {
    this.#timer = undefined
    const dueMs = this.#monotonicMs() - this.#waitMs
    for (let more = Math.ceil(this.#open / growth); more > 0; more -= 1) {
      const oldest = this.#waiting[0]
      if (oldest === undefined || oldest.sinceMs > dueMs) break
      this.#first()?.openOwn()
    }
    if (this.#waiting.length > 0 && this.#timer === undefined) this.#arm()
  }

  #arm(): void {
    this.#timer = setTimeout(() => this.#openForThoseWhoWaited(), Math.ceil(this.#waitMs)).unref()
  }
}

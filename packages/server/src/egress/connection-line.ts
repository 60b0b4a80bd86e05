import type { Opening } from './opening.ts'

/** So many connections to an origin may be open without anybody waiting: as many as one endpoint has by default. */
const openedFreely = 20
/** What one waits for at most, and before anything is known of how long opening takes. */
const longestWaitMs = 100
/** In one go at most this part of all that there are is opened in addition. */
const growth = 8
/** Of those that are open, this part may be being opened at once, and as many as are opened freely. */
const openingPart = 4

/** An attempt that has no connection yet: it waits for one, or one is being opened for it. */
export interface Waiter {
  /** It has ended: nothing is to be done for it any more. */
  readonly settled: boolean
  /** Takes a connection to its origin that is idle; false if none is fit for use. */
  takeIdle(): boolean
  openOwn(): void
}

/**
 * The attempts at one origin that have no connection yet. One that becomes idle goes to who came first, even if another
 * is being opened for it, which is then for those behind: nobody depends on a handshake while others answer.
 *
 * Where many endpoints share a host, hundreds of attempts begin at once; a connection of its own for each would cost more
 * than the requests, with TLS ten times as much. So whoever comes when there are twenty waits for half of the time that
 * opening takes, and then opens one: at worst it has lost that half. Their number grows in steps, because opening many
 * at once keeps this process from hearing the answers that would free the others. And where opening is slow because so
 * many are being opened, no more are: they would all take longer than they may. Only where none is open yet the number
 * of those that are being opened grows all the same: a host that lets nobody in is to be found out in the time that
 * connecting may take.
 */
export class ConnectionLine {
  readonly #monotonicMs: () => number
  #opening = 0
  #open = 0
  /** For whom connections are being opened, until they have one. */
  readonly #openers = new Map<Opening, Waiter>()
  /** Moving average of how long opening takes. */
  #openingMs: number | null = null
  #waiting: Array<{ waiter: Waiter; sinceMs: number }> = []
  #timer: NodeJS.Timeout | undefined

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs
  }

  /** Whether a connection may be opened without waiting. */
  get isFree(): boolean {
    return this.#all < openedFreely
  }

  /** One more is being opened, for one who takes what becomes idle sooner; `opened` or `failed` follows. */
  opening(opening: Opening, waiter: Waiter): void {
    this.#opening += 1
    this.#openers.set(opening, waiter)
  }

  /** It is open now; `closed` follows. */
  opened(opening: Opening, tookMs: number): void {
    this.#ended(opening)
    this.#open += 1
    const beforeMs = this.#openingMs
    this.#openingMs = beforeMs === null ? tookMs : beforeMs * 0.8 + tookMs * 0.2
    // it is known now for how long to wait
    if (beforeMs === null && this.#timer !== undefined) this.#arm()
  }

  /** It could not be opened. */
  failed(opening: Opening): void {
    this.#ended(opening)
    this.#oneFewer()
  }

  closed(): void {
    this.#open -= 1
    this.#oneFewer()
  }

  /** Calls `takeIdle` when a connection becomes free, and `openOwn` when that was too late for it or did not come. */
  wait(waiter: Waiter): void {
    this.#waiting.push({ waiter, sinceMs: this.#monotonicMs() })
    if (this.#timer === undefined) this.#arm()
  }

  /** A connection is idle now. */
  becameIdle(): void {
    if (this.#openers.size > 0 && this.#givenToOpener()) return
    const first = this.#first()
    if (first?.takeIdle() === false) first.openOwn()
  }

  get #all(): number {
    return this.#opening + this.#open
  }

  get #waitMs(): number {
    return this.#openingMs === null ? longestWaitMs : Math.min(longestWaitMs, this.#openingMs / 2)
  }

  /** How many more in one go. */
  get #mayBeOpened(): number {
    const step = Math.ceil(this.#all / growth)
    if (this.#open === 0) return step
    const atOnce = Math.max(openedFreely, Math.ceil(this.#open / openingPart))
    return Math.min(step, atOnce - this.#opening)
  }

  #ended(opening: Opening): void {
    this.#opening -= 1
    this.#openers.delete(opening)
  }

  #givenToOpener(): boolean {
    for (const [opening, opener] of this.#openers) {
      if (opener.settled) continue
      if (opener.takeIdle()) this.#openers.delete(opening)
      return true
    }
    return false
  }

  #oneFewer(): void {
    if (this.isFree) this.#first()?.openOwn()
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
    for (let more = this.#mayBeOpened; more > 0; more -= 1) {
      const oldest = this.#waiting[0]
      if (oldest === undefined || oldest.sinceMs > dueMs) break
      this.#first()?.openOwn()
    }
    if (this.#waiting.length > 0 && this.#timer === undefined) this.#arm()
  }

  #arm(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#openForThoseWhoWaited(), Math.ceil(this.#waitMs)).unref()
  }
}

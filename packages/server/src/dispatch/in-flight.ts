import type { AccountQueue, EndpointQueue, Share } from './endpoint-queue.ts'

/** The part of the total limit for endpoints that are not proven, and the part of it for those that fail. */
const unprovenPart = 1 / 2
const failingPart = 1 / 4

/** Counts attempts in flight by share and account, and decides who may start one more. */
export class InFlight {
  readonly #unprovenMax: number
  readonly #failingMax: number
  readonly #max: number
  readonly #byShare: Record<Share, number> = { proven: 0, unproven: 0, failing: 0 }
  #total = 0

  /** @param max attempts in flight at once */
  constructor(max: number) {
    this.#max = max
    this.#unprovenMax = Math.ceil(max * unprovenPart)
    this.#failingMax = Math.ceil(max * failingPart)
  }

  get total(): number {
    return this.#total
  }

  get isFull(): boolean {
    return this.#total >= this.#max
  }

  count(endpoint: EndpointQueue, share: Share, change: 1 | -1): void {
    endpoint.inFlight += change
    endpoint.account.inFlight += change
    if (share !== 'proven') endpoint.account.inFlightUnproven += change
    this.#byShare[share] += change
    this.#total += change
  }

  /** Whether an attempt of this share may start, for any account. */
  hasSlot(share: Share): boolean {
    if (share === 'proven') return true
    if (share === 'failing' && this.#byShare.failing >= this.#failingMax) return false
    return this.#freeUnproven > 0
  }

  /** Whether the account has reached its limit in the total or in this share. */
  isCapped(account: AccountQueue, share: Share, othersWait: boolean): boolean {
    if (othersWait && account.inFlight >= Math.ceil(this.#max / 2)) return true
    return share !== 'proven' && account.inFlightUnproven >= this.#freeUnproven
  }

  /** How many more deliveries may be held for endpoints that are not proven, and for those that fail. */
  capacity(unstarted: Readonly<Record<Share, number>>): { unproven: number; failing: number } {
    const failing = this.#byShare.failing + unstarted.failing
    const unproven = Math.max(0, this.#unprovenMax - this.#byShare.unproven - unstarted.unproven - failing)
    return { unproven, failing: Math.max(0, Math.min(unproven, this.#failingMax - failing)) }
  }

  get #freeUnproven(): number {
    return this.#unprovenMax - this.#byShare.unproven - this.#byShare.failing
  }
}

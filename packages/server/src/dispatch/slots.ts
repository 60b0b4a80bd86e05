import type { AccountLoad } from './account-load.ts'
import type { Share } from './lane.ts'

/** Parts of the capacity that endpoints which are not proven or fail have together, and those that fail alone. */
const unprovenPart = 1 / 2
const failingPart = 1 / 4

/** What is under way, by share of the capacity and by account, and who may begin one more attempt. */
export class Slots {
  readonly #max: number
  readonly #byShare: Record<Share, number> = { proven: 0, unproven: 0, failing: 0 }
  #taken = 0

  constructor(max: number) {
    this.#max = max
  }

  get taken(): number {
    return this.#taken
  }

  get full(): boolean {
    return this.#taken >= this.#max
  }

  count(account: AccountLoad, share: Share, change: 1 | -1): void {
    this.#taken += change
    this.#byShare[share] += change
    account.inFlight += change
    if (share !== 'proven') account.inFlightUnproven += change
  }

  /** Whether attempts of this share may begin now, whoever's they are. */
  hasPlaceFor(share: Share): boolean {
    if (share === 'proven') return true
    if (share === 'failing' && this.#byShare.failing >= Math.ceil(this.#max * failingPart)) return false
    return this.#freeOfUnproven > 0
  }

  /**
   * Whether this account has all that it may have of this share now. While others have something to send, an account gets
   * at most half of all; and of what is not proven no more than it leaves.
   */
  isCapped(account: AccountLoad, share: Share, othersWait: boolean): boolean {
    if (othersWait && account.inFlight >= Math.ceil(this.#max / 2)) return true
    return share !== 'proven' && account.inFlightUnproven >= this.#freeOfUnproven
  }

  /**
   * How many more may be held for endpoints that are not proven, and how many of them for such that fail, where so many
   * are held unstarted: no more than can begin now. Where receivers hang, what lies ahead would have to be given back
   * before a place is free.
   */
  roomOfUnproven(unstarted: Record<Share, number>): { unproven: number; failing: number } {
    const failing = this.#byShare.failing + unstarted.failing
    const held = failing + this.#byShare.unproven + unstarted.unproven
    const unproven = Math.max(0, Math.ceil(this.#max * unprovenPart) - held)
    return {
      unproven,
      failing: Math.min(unproven, Math.max(0, Math.ceil(this.#max * failingPart) - failing)),
    }
  }

  get #freeOfUnproven(): number {
    return Math.ceil(this.#max * unprovenPart) - this.#byShare.unproven - this.#byShare.failing
  }
}

import { Line } from '../domain/line.ts'
import type { AccountLoad } from './account-load.ts'
import type { Lane, Share } from './lane.ts'

/**
 * Counts what is taken and not started, so that nobody has to go through the endpoints for it: thousands of them may
 * be known, and it is asked for each group of events that is stored.
 */
export class Unstarted {
  readonly #lanes = new Line<Lane>()
  readonly #byShare: Record<Share, number> = { proven: 0, unproven: 0, failing: 0 }
  #total = 0
  #accounts = 0

  get total(): number {
    return this.#total
  }

  get byShare(): Readonly<Record<Share, number>> {
    return this.#byShare
  }

  /** Accounts that have any. */
  get accounts(): number {
    return this.#accounts
  }

  /** Endpoints that have any. */
  get lanes(): Lane[] {
    return this.#lanes.items()
  }

  /** So many have come to the lane's queue, or gone from it. */
  changed(lane: Lane, change: number): void {
    const { account } = lane
    this.#total += change
    const had = account.unstarted > 0
    account.unstarted += change
    this.#accounts += Number(account.unstarted > 0) - Number(had)
    this.#countIn(lane.share, account, change)
    if (lane.queue.length > 0) lane.unstarted ??= this.#lanes.append(lane)
    else if (lane.unstarted !== null) {
      this.#lanes.remove(lane.unstarted)
      lane.unstarted = null
    }
  }

  /** The lane draws on another share than before, and what it holds with it. */
  moved(lane: Lane, from: Share): void {
    const held = lane.queue.length
    if (held === 0 || from === lane.share) return
    this.#countIn(from, lane.account, -held)
    this.#countIn(lane.share, lane.account, held)
  }

  #countIn(share: Share, account: AccountLoad, change: number): void {
    this.#byShare[share] += change
    if (share !== 'proven') account.unstartedUnproven += change
  }
}

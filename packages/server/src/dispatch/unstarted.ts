import { Line } from '../domain/line.ts'
import { Counts } from './counts.ts'
import type { Lane, Share } from './lane.ts'

/**
 * Counts what is taken and not started, so that nobody has to go through the endpoints for it: thousands of them may
 * be known, and it is asked for each group of events that is stored.
 */
export class Unstarted {
  readonly #lanes = new Line<Lane>()
  readonly #byAccount = new Counts()
  /** Of endpoints that are not proven or fail. */
  readonly #unprovenByAccount = new Counts()
  readonly #byShare: Record<Share, number> = { proven: 0, unproven: 0, failing: 0 }
  #total = 0

  get total(): number {
    return this.#total
  }

  get byShare(): Readonly<Record<Share, number>> {
    return this.#byShare
  }

  /** Accounts that have any. */
  get accounts(): number {
    return this.#byAccount.size
  }

  /** Endpoints that have any. */
  get lanes(): Lane[] {
    return this.#lanes.items()
  }

  ofAccount(accountId: string): number {
    return this.#byAccount.of(accountId)
  }

  unprovenOf(accountId: string): number {
    return this.#unprovenByAccount.of(accountId)
  }

  /** So many have come to the lane's queue, or gone from it. */
  changed(lane: Lane, change: number): void {
    this.#total += change
    this.#byAccount.add(lane.accountId, change)
    this.#countIn(lane.share, lane.accountId, change)
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
    this.#countIn(from, lane.accountId, -held)
    this.#countIn(lane.share, lane.accountId, held)
  }

  #countIn(share: Share, accountId: string, change: number): void {
    this.#byShare[share] += change
    if (share !== 'proven') this.#unprovenByAccount.add(accountId, change)
  }
}

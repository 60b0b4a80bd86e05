import { Line, type Place } from '../domain/line.ts'
import type { AccountLoad } from './account-load.ts'
import type { Lane, Share } from './lane.ts'

/** Endpoints of one share that have something to start, in turn: accounts first, and within an account its endpoints. */
export class Turns {
  readonly #share: Share
  readonly #line = new Line<AccountTurn>()

  constructor(share: Share) {
    this.#share = share
  }

  get isEmpty(): boolean {
    return this.#line.size === 0
  }

  add(lane: Lane): void {
    if (lane.turn !== null) return
    const { account } = lane
    const turn = (account.turns[this.#share] ??= { account, lanes: new Line(), place: null })
    lane.turn = turn.lanes.append(lane)
    turn.place ??= this.#line.append(turn)
  }

  remove(lane: Lane): void {
    const turn = lane.account.turns[this.#share]
    if (lane.turn === null || turn === null) return
    turn.lanes.remove(lane.turn)
    lane.turn = null
    if (turn.lanes.size > 0 || turn.place === null) return
    this.#line.remove(turn.place)
    turn.place = null
  }

  /** The lane whose turn it is, which goes to the end of both lines; skips accounts that are `capped`. */
  next(capped: (account: AccountLoad) => boolean): Lane | undefined {
    for (let place = this.#line.first; place !== null; place = place.after) {
      const { account, lanes } = place.item
      if (lanes.first === null || capped(account)) continue
      const lane = lanes.first.item
      lanes.toEnd(lanes.first)
      this.#line.toEnd(place)
      return lane
    }
    return undefined
  }
}

/** An account's endpoints of one share that have something to start. */
export interface AccountTurn {
  readonly account: AccountLoad
  readonly lanes: Line<Lane>
  /** Null while nothing of it may start. */
  place: Place<AccountTurn> | null
}

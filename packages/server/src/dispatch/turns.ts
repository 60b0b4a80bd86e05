import { Line, type Place } from '../domain/line.ts'
import type { Lane } from './lane.ts'

/** Accounts remembered before those that have nothing to start are forgotten. */
const accountsMax = 20_000

/** Endpoints that have something to start, in turn: accounts first, and within an account its endpoints. */
export class Turns {
  readonly #accounts = new Map<string, AccountTurn>()
  readonly #line = new Line<AccountTurn>()

  get isEmpty(): boolean {
    return this.#line.size === 0
  }

  add(lane: Lane): void {
    if (lane.turn !== null) return
    const account = this.#accounts.get(lane.accountId) ?? this.#enter(lane.accountId)
    lane.turn = account.lanes.append(lane)
    account.place ??= this.#line.append(account)
  }

  remove(lane: Lane): void {
    const account = this.#accounts.get(lane.accountId)
    if (lane.turn === null || account === undefined) return
    account.lanes.remove(lane.turn)
    lane.turn = null
    if (account.lanes.size > 0 || account.place === null) return
    this.#line.remove(account.place)
    account.place = null
  }

  /** The lane whose turn it is, which goes to the end of both lines; skips accounts that are `capped`. */
  next(capped: (accountId: string) => boolean): Lane | undefined {
    for (let place = this.#line.first; place !== null; place = place.after) {
      const { accountId, lanes } = place.item
      if (lanes.first === null || capped(accountId)) continue
      const lane = lanes.first.item
      lanes.toEnd(lanes.first)
      this.#line.toEnd(place)
      return lane
    }
    return undefined
  }

  #enter(accountId: string): AccountTurn {
    if (this.#accounts.size >= accountsMax) {
      for (const known of this.#accounts.values())
        if (known.place === null) this.#accounts.delete(known.accountId)
    }
    const account = { accountId, lanes: new Line<Lane>(), place: null }
    this.#accounts.set(accountId, account)
    return account
  }
}

interface AccountTurn {
  readonly accountId: string
  readonly lanes: Line<Lane>
  /** Null while nothing of it may start: it is kept then, because it soon comes again. */
  place: Place<AccountTurn> | null
}

import type { Lane } from './lane.ts'

/** Endpoints that have something to start, in turn: accounts first, and within an account its endpoints. */
export class Turns {
  readonly #accounts = new Map<string, Set<Lane>>()

  add(lane: Lane): void {
    const lanes = this.#accounts.get(lane.accountId)
    if (lanes === undefined) this.#accounts.set(lane.accountId, new Set([lane]))
    else lanes.add(lane)
  }

  remove(lane: Lane): void {
    const lanes = this.#accounts.get(lane.accountId)
    if (lanes?.delete(lane) && lanes.size === 0) this.#accounts.delete(lane.accountId)
  }

  /** The lane whose turn it is, which goes to the end of both lines; skips accounts that are `capped`. */
  next(capped: (accountId: string) => boolean): Lane | undefined {
    for (const [accountId, lanes] of this.#accounts) {
      if (capped(accountId)) continue
      const [lane] = lanes
      if (lane === undefined) continue
      lanes.delete(lane)
      lanes.add(lane)
      this.#accounts.delete(accountId)
      this.#accounts.set(accountId, lanes)
      return lane
    }
    return undefined
  }
}

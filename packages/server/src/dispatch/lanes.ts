import { AccountLoad } from './account-load.ts'
import { Lane } from './lane.ts'

/** Endpoints remembered before idle ones are forgotten. */
const lanesMax = 20_000

/** What this process knows of endpoints that it has sent to, and of their accounts. */
export class Lanes {
  readonly #byEndpoint = new Map<string, Lane>()
  readonly #accounts = new Map<string, AccountLoad>()

  get(endpointId: string): Lane | undefined {
    return this.#byEndpoint.get(endpointId)
  }

  /** Undefined when it has no endpoint that this process has sent to: then nothing of it is held or under way. */
  account(accountId: string): AccountLoad | undefined {
    return this.#accounts.get(accountId)
  }

  /** The lane of this endpoint; a new one knows only of its failures. */
  enter(accountId: string, endpointId: string, failuresInRow: number): Lane {
    const known = this.#byEndpoint.get(endpointId)
    if (known !== undefined) return known
    const account = this.#accounts.get(accountId) ?? new AccountLoad(accountId)
    const lane = new Lane(account, endpointId, failuresInRow)
    this.#byEndpoint.set(endpointId, lane)
    this.#accounts.set(accountId, account)
    account.lanes.push(lane)
    return lane
  }

  /** Forgets endpoints that nothing is known of but that they are well, once there are too many of them. */
  forgetIdle(): void {
    if (this.#byEndpoint.size < lanesMax) return
    for (const lane of this.#byEndpoint.values()) {
      if (lane.inFlight === 0 && lane.queue.length === 0 && !lane.failing)
        this.#byEndpoint.delete(lane.endpointId)
    }
    for (const account of this.#accounts.values()) {
      account.lanes = account.lanes.filter(lane => this.#byEndpoint.has(lane.endpointId))
      if (account.lanes.length === 0) this.#accounts.delete(account.accountId)
    }
  }
}

import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import { AccountQueue } from './account-queue.ts'
import { EndpointQueue } from './endpoint-queue.ts'

/** Endpoints remembered before those that are idle and well are forgotten. */
const endpointsMax = 20_000

/** What this process knows of endpoints that it has sent to, and of their accounts. */
export class EndpointQueues {
  readonly #endpoints = new Map<string, EndpointQueue>()
  readonly #accounts = new Map<string, AccountQueue>()

  get(endpointId: string): EndpointQueue | undefined {
    return this.#endpoints.get(endpointId)
  }

  /** Undefined if this process has not sent to any of its endpoints. */
  account(accountId: string): AccountQueue | undefined {
    return this.#accounts.get(accountId)
  }

  /** All of them. */
  values(): Iterable<EndpointQueue> {
    return this.#endpoints.values()
  }

  /** The queue of the delivery's endpoint; a new one knows only of its failures. */
  enter({ accountId, endpointId }: LeasedDelivery, failuresInRow: number): EndpointQueue {
    const known = this.#endpoints.get(endpointId)
    if (known !== undefined) return known
    const account = this.#accounts.get(accountId) ?? new AccountQueue(accountId)
    const endpoint = new EndpointQueue(account, endpointId, failuresInRow)
    account.endpoints.push(endpoint)
    this.#accounts.set(accountId, account)
    this.#endpoints.set(endpointId, endpoint)
    return endpoint
  }

  /** Forgets endpoints of which nothing is known but that they are well, once there are too many. */
  forgetIdle(): void {
    if (this.#endpoints.size < endpointsMax) return
    for (const endpoint of this.#endpoints.values()) {
      const isIdle = endpoint.inFlight === 0 && endpoint.unstarted.length === 0
      if (isIdle && endpoint.share !== 'failing') this.#endpoints.delete(endpoint.endpointId)
    }
    for (const account of this.#accounts.values()) {
      account.endpoints = account.endpoints.filter(({ endpointId }) => this.#endpoints.has(endpointId))
      if (account.endpoints.length === 0) this.#accounts.delete(account.accountId)
    }
  }
}

import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import { AccountQueue, EndpointQueue } from './endpoint-queue.ts'

/** From this number on, `forgetIdle` removes endpoints. */
const endpointsMax = 20_000

/** The endpoints that this process has sent to, and their accounts. */
export class EndpointQueues {
  readonly #endpoints = new Map<string, EndpointQueue>()
  readonly #accounts = new Map<string, AccountQueue>()

  get(endpointId: string): EndpointQueue | undefined {
    return this.#endpoints.get(endpointId)
  }

  account(accountId: string): AccountQueue | undefined {
    return this.#accounts.get(accountId)
  }

  values(): Iterable<EndpointQueue> {
    return this.#endpoints.values()
  }

  /** Returns the queue of the delivery's endpoint, and creates it if necessary. */
  queueFor({ accountId, endpointId }: LeasedDelivery, failuresInRow: number): EndpointQueue {
    const known = this.#endpoints.get(endpointId)
    if (known !== undefined) return known
    const account = this.#accounts.get(accountId) ?? new AccountQueue(accountId)
    const endpoint = new EndpointQueue(account, endpointId, failuresInRow)
    account.endpoints.push(endpoint)
    this.#accounts.set(accountId, account)
    this.#endpoints.set(endpointId, endpoint)
    return endpoint
  }

  /** Removes idle endpoints that do not fail, once there are too many. */
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

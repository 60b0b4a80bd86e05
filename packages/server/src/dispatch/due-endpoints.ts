import { TimerHeap } from '../collections/timer-heap.ts'
import type { DueEndpoint } from './find-due.ts'

/** Retries whose time is remembered; the next scan finds the others, some seconds late. */
const upcomingMax = 50_000

type EndpointIds = Pick<DueEndpoint, 'accountId' | 'endpointId'>

/**
 * The endpoints that seem to have something due, in an order that is fair to accounts: one with thousands of endpoints counts
 * as one. An endpoint that has nothing is removed when a claim finds that out.
 */
export class DueEndpoints {
  /** By account and endpoint, both in the order in which they are to be served. */
  readonly #accounts = new Map<string, Map<string, DueEndpoint>>()
  readonly #upcoming = new TimerHeap<DueEndpoint>()

  /** An endpoint that is added from now on has nothing due before this moment. Milliseconds since the epoch. */
  completeToMs = 0

  get isEmpty(): boolean {
    return this.#accounts.size === 0
  }

  /** The ids of an account's endpoints. */
  ofAccount(accountId: string): Iterable<string> {
    return this.#accounts.get(accountId)?.keys() ?? []
  }

  /** Adds an endpoint that a full scan found, or replaces what was known of it. */
  found(endpoint: DueEndpoint): void {
    const endpoints = this.#accounts.get(endpoint.accountId) ?? new Map<string, DueEndpoint>()
    this.#accounts.set(endpoint.accountId, endpoints)
    endpoints.set(endpoint.endpointId, endpoint)
  }

  /** Adds an endpoint after those of its account. A known one keeps its place and the earlier `dueFromMs`. */
  add(endpoint: DueEndpoint): void {
    const known = this.#accounts.get(endpoint.accountId)?.get(endpoint.endpointId)
    const { dueFromMs = this.completeToMs } = endpoint
    if (known === undefined) this.found({ ...endpoint, dueFromMs })
    else this.found({ ...known, dueFromMs: Math.min(dueFromMs, known.dueFromMs ?? 0) })
  }

  /** Adds the endpoint at a monotonic moment. */
  addAt(atMs: number, endpoint: DueEndpoint): void {
    this.#upcoming.add(atMs, endpoint)
  }

  /** Adds the endpoint of a retry at a monotonic moment, unless too many are remembered already. */
  addRetryAt(atMs: number, endpoint: DueEndpoint): void {
    if (this.#upcoming.size < upcomingMax) this.addAt(atMs, endpoint)
  }

  /** Adds the endpoints whose moment has come. */
  addUpcoming(nowMs: number): void {
    for (const endpoint of this.#upcoming.removeUntil(nowMs)) this.add(endpoint)
  }

  /** When the next of them is due, in monotonic milliseconds; infinite if there is none. */
  get nextAtMs(): number {
    return this.#upcoming.firstAtMs
  }

  remove({ accountId, endpointId }: EndpointIds): void {
    const endpoints = this.#accounts.get(accountId)
    endpoints?.delete(endpointId)
    if (endpoints?.size === 0) this.#accounts.delete(accountId)
  }

  /** Moves the endpoint behind the others of its account, and the account behind the other accounts. */
  toEnd({ accountId, endpointId }: EndpointIds): void {
    const endpoints = this.#accounts.get(accountId)
    const endpoint = endpoints?.get(endpointId)
    if (endpoints === undefined || endpoint === undefined) return
    endpoints.delete(endpointId)
    endpoints.set(endpointId, endpoint)
    this.#accounts.delete(accountId)
    this.#accounts.set(accountId, endpoints)
  }

  /** The first endpoint of each account, then the second of each, and so on. Change nothing during the iteration. */
  *roundRobin(): Generator<DueEndpoint, undefined> {
    let accounts = Array.from(this.#accounts.values(), endpoints => endpoints.values())
    while (accounts.length > 0) {
      const withMore: typeof accounts = []
      for (const endpoints of accounts) {
        const next = endpoints.next()
        if (next.done === true) continue
        yield next.value
        withMore.push(endpoints)
      }
      accounts = withMore
    }
  }
}

import { LinkedList, type ListNode } from '../collections/linked-list.ts'
import { TimerHeap } from '../collections/timer-heap.ts'
import type { DueEndpoint } from './find-due.ts'

/** Retries whose time is remembered; the next scan finds the others, some seconds late. */
const upcomingMax = 50_000

/**
 * The endpoints that seem to have something due, in an order that is fair to accounts: one with thousands of endpoints counts
 * as one. An endpoint that has nothing is removed when a claim finds that out.
 */
export class DueEndpoints {
  readonly #accounts = new LinkedList<DueAccount>()
  readonly #byAccount = new Map<string, DueAccount>()
  readonly #byEndpoint = new Map<string, ListNode<Due>>()
  readonly #upcoming = new TimerHeap<DueEndpoint>()

  /** An endpoint that is added from now on has nothing due before this moment. Milliseconds since the epoch. */
  completeToMs = 0

  get size(): number {
    return this.#byEndpoint.size
  }

  /** The ids of an account's endpoints. */
  *ofAccount(accountId: string): Generator<string, undefined> {
    const { endpoints } = this.#byAccount.get(accountId) ?? {}
    for (let node = endpoints?.first ?? null; node !== null; node = node.after)
      yield node.item.endpoint.endpointId
  }

  /** Adds an endpoint that a full scan found, or replaces what was known of it. */
  found(endpoint: DueEndpoint): void {
    const known = this.#byEndpoint.get(endpoint.endpointId)
    if (known === undefined) this.add(endpoint)
    else known.item.endpoint = endpoint
  }

  /** Adds an endpoint after those of its account. A known one keeps its place and the earlier `dueFromMs`. */
  add(added: DueEndpoint): void {
    const known = this.#byEndpoint.get(added.endpointId)
    const { dueFromMs = this.completeToMs } = added
    if (known !== undefined) {
      const { endpoint } = known.item
      known.item.endpoint = { ...endpoint, dueFromMs: Math.min(dueFromMs, endpoint.dueFromMs ?? 0) }
      return
    }
    const endpoint = { ...added, dueFromMs }
    const account = this.#byAccount.get(endpoint.accountId) ?? this.#addAccount(endpoint.accountId)
    this.#byEndpoint.set(endpoint.endpointId, account.endpoints.append({ endpoint, account }))
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

  remove(endpointId: string): void {
    const node = this.#byEndpoint.get(endpointId)
    if (node === undefined) return
    this.#byEndpoint.delete(endpointId)
    const { account } = node.item
    account.endpoints.remove(node)
    if (account.endpoints.size > 0) return
    this.#accounts.remove(account.node)
    this.#byAccount.delete(account.accountId)
  }

  /** Moves the endpoint behind the others of its account, and the account behind the other accounts. */
  toEnd(endpointId: string): void {
    const node = this.#byEndpoint.get(endpointId)
    if (node === undefined) return
    const { account } = node.item
    account.endpoints.toEnd(node)
    this.#accounts.toEnd(account.node)
  }

  /** The first endpoint of each account, then the second of each, and so on. Change nothing during the iteration. */
  *roundRobin(): Generator<DueEndpoint, undefined> {
    let nodes: Array<ListNode<Due>> = []
    for (const { endpoints } of this.#accounts.items())
      if (endpoints.first !== null) nodes.push(endpoints.first)
    while (nodes.length > 0) {
      const next: Array<ListNode<Due>> = []
      for (const node of nodes) {
        yield node.item.endpoint
        if (node.after !== null) next.push(node.after)
      }
      nodes = next
    }
  }

  #addAccount(accountId: string): DueAccount {
    const account = new DueAccount(accountId, this.#accounts)
    this.#byAccount.set(accountId, account)
    return account
  }
}

interface Due {
  endpoint: DueEndpoint
  readonly account: DueAccount
}

class DueAccount {
  readonly accountId: string
  readonly endpoints = new LinkedList<Due>()
  readonly node: ListNode<DueAccount>

  constructor(accountId: string, accounts: LinkedList<DueAccount>) {
    this.accountId = accountId
    this.node = accounts.append(this)
  }
}

import { LinkedList, type ListNode } from '../collections/linked-list.ts'
import { TimerHeap } from '../collections/timer-heap.ts'
import type { DueEndpoint } from './find-due.ts'

/** Retries whose time is remembered. The next look finds the others, some seconds late. */
const upcomingMax = 50_000

/**
 * The endpoints that this process believes to have something due, in turn: accounts first, so that one with thousands of
 * endpoints is one among others. A hint: an endpoint that has nothing is removed when a claim finds that.
 */
export class DueEndpoints {
  readonly #accounts = new LinkedList<DueAccount>()
  readonly #byAccount = new Map<string, DueAccount>()
  readonly #byEndpoint = new Map<string, ListNode<Due>>()
  readonly #upcoming = new TimerHeap<DueEndpoint>()

  /** What was due before this moment is known: no endpoint that enters has anything older. Milliseconds since the epoch. */
  completeToMs = 0

  get size(): number {
    return this.#byEndpoint.size
  }

  /** Those of an account. */
  *ofAccount(accountId: string): Generator<string, undefined> {
    const { endpoints } = this.#byAccount.get(accountId) ?? {}
    for (let node = endpoints?.first ?? null; node !== null; node = node.after)
      yield node.item.endpoint.endpointId
  }

  /** Adds what a full look has found: it knows more than what is there. */
  found(endpoint: DueEndpoint): void {
    const known = this.#byEndpoint.get(endpoint.endpointId)
    if (known === undefined) this.add(endpoint)
    else known.item.endpoint = endpoint
  }

  /** Adds an endpoint behind those of its account. One that is there keeps its turn, and begins no later than before. */
  add(added: DueEndpoint): void {
    const known = this.#byEndpoint.get(added.endpointId)
    const { dueFromMs = this.completeToMs } = added
    if (known !== undefined) {
      const { endpoint } = known.item
      known.item.endpoint = { ...endpoint, dueFromMs: Math.min(dueFromMs, endpoint.dueFromMs ?? 0) }
      return
    }
    const endpoint = { ...added, dueFromMs }
    const account = this.#byAccount.get(endpoint.accountId) ?? this.#enter(endpoint.accountId)
    this.#byEndpoint.set(endpoint.endpointId, account.endpoints.append({ endpoint, account }))
  }

  /** Adds it at a monotonic moment. */
  addAt(atMs: number, endpoint: DueEndpoint): void {
    this.#upcoming.add(atMs, endpoint)
  }

  /** Adds the endpoint of a retry at a monotonic moment, unless too many are remembered already. */
  addRetryAt(atMs: number, endpoint: DueEndpoint): void {
    if (this.#upcoming.size < upcomingMax) this.addAt(atMs, endpoint)
  }

  /** Adds those whose moment has come. */
  addUpcoming(nowMs: number): void {
    for (const endpoint of this.#upcoming.takeUntil(nowMs)) this.add(endpoint)
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

  /** It was asked: the other endpoints of its account come first, and the other accounts. */
  toEnd(endpointId: string): void {
    const node = this.#byEndpoint.get(endpointId)
    if (node === undefined) return
    const { account } = node.item
    account.endpoints.toEnd(node)
    this.#accounts.toEnd(account.node)
  }

  /** The first endpoint of each account, then the second of each, and so on. Nothing may change meanwhile. */
  *inTurn(): Generator<DueEndpoint, undefined> {
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

  #enter(accountId: string): DueAccount {
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

import { LinkedList } from '../collections/linked-list.ts'
import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import {
  type AccountFlow,
  type EndpointQueue,
  inFlightMaxOf,
  type Share,
  shareOf,
  shares,
} from './endpoint-queue.ts'
import { EndpointQueues } from './endpoint-queues.ts'
import { InFlight } from './in-flight.ts'

/** Bytes that an account may send in each round; a delivery counts with its body and its headers. */
const quantumBytes = 16_384
const headBytes = 1_024
/** Deliveries held and not started, for each attempt that may be in flight. */
const heldPerSlot = 4
/** The part of these that is kept free for single events. */
const keptFreePart = 1 / 4

export interface SchedulerOptions {
  /** Attempts in flight at once, over all endpoints and for each. */
  inFlightMax: number
  inFlightPerEndpointMax: number
  /** Results that are not written yet: they reduce the capacity while the database cannot keep up. */
  unsettled: () => number
  /** Makes the attempt; it counts as in flight until `finished` or `abandoned` is called. */
  start: (started: Started) => void
}

/** An attempt in flight, and the share that it counts in. */
export interface Started {
  delivery: LeasedDelivery
  endpoint: EndpointQueue
  share: Share
}

/**
 * Decides which delivery starts next: deficit round robin over accounts (Shreedhar and Varghese, 1995), and round robin over
 * the endpoints of an account, within these limits:
 * - attempts in flight in total, and for each endpoint; two for one that fails;
 * - endpoints that fail share a quarter of the total, and half of it with those that are not proven;
 * - of that half, an account gets no more than it leaves to others;
 * - an account gets at most half of the total while another account has something to start.
 */
export class Scheduler {
  readonly #options: SchedulerOptions
  readonly #heldMax: number
  readonly #queues = new EndpointQueues()
  /** Flows with an endpoint that may start something, in round-robin order. */
  readonly #active: Record<Share, LinkedList<AccountFlow>> = {
    proven: new LinkedList(),
    unproven: new LinkedList(),
    failing: new LinkedList(),
  }
  readonly #inFlight: InFlight
  readonly #unstarted: Record<Share, number> = { proven: 0, unproven: 0, failing: 0 }
  #unstartedTotal = 0
  #accountsWaiting = 0
  #nextShare = 0
  #paused = false

  constructor(options: SchedulerOptions) {
    this.#options = options
    this.#heldMax = options.inFlightMax * heldPerSlot
    this.#inFlight = new InFlight(options.inFlightMax)
  }

  get inFlight(): number {
    return this.#inFlight.total
  }

  get unstarted(): number {
    return this.#unstartedTotal
  }

  /** From now on it starts nothing and has no capacity. */
  pause(): void {
    this.#paused = true
  }

  add(delivery: LeasedDelivery, failuresInRow: number): void {
    const endpoint = this.#queues.queueFor(delivery, failuresInRow)
    endpoint.add(delivery)
    this.#countUnstarted(endpoint, 1)
    this.#updateReady(endpoint)
  }

  pump(): void {
    while (!this.#paused && !this.#inFlight.isFull) {
      const endpoint = this.#next()
      const delivery = endpoint?.unstarted.shift()
      if (endpoint === undefined || delivery === undefined) return
      const { share } = endpoint
      this.#countUnstarted(endpoint, -1)
      this.#inFlight.count(endpoint, share, 1)
      this.#updateReady(endpoint)
      this.#options.start({ delivery, endpoint, share })
    }
  }

  /** The attempt finished; its result may move the endpoint to another share. */
  finished(started: Started, outcome: 'success' | 'failure', durationMs: number): void {
    const { endpoint } = started
    this.#inFlight.count(endpoint, started.share, -1)
    const { share } = endpoint
    endpoint.finished(outcome, durationMs)
    if (endpoint.share !== share) {
      this.#removeReady(endpoint, share)
      this.#unstarted[share] -= endpoint.unstarted.length
      this.#unstarted[endpoint.share] += endpoint.unstarted.length
    }
    this.#updateReady(endpoint)
  }

  abandoned(started: Started): void {
    this.#inFlight.count(started.endpoint, started.share, -1)
    this.#updateReady(started.endpoint)
  }

  /** Removes and returns deliveries that are not started: all, or those that meet the condition. */
  removeUnstarted(condition: (delivery: LeasedDelivery) => boolean = () => true): LeasedDelivery[] {
    const all: LeasedDelivery[] = []
    if (this.#unstartedTotal === 0) return all
    for (const endpoint of this.#queues.values()) {
      const removed = endpoint.unstarted.filter(condition)
      if (removed.length === 0) continue
      const kept = endpoint.unstarted.filter(delivery => !condition(delivery))
      endpoint.unstarted.splice(0, Number.POSITIVE_INFINITY, ...kept)
      this.#countUnstarted(endpoint, -removed.length)
      this.#updateReady(endpoint)
      all.push(...removed)
    }
    return all
  }

  failuresInRow(endpointId: string): number {
    return this.#queues.get(endpointId)?.failuresInRow ?? 0
  }

  /** How many more deliveries may be held in total. @param isSmall also use what is kept free for single events */
  capacity(isSmall: boolean): number {
    if (this.#paused) return 0
    const keptFree = isSmall ? 0 : this.#heldMax * keptFreePart
    return Math.max(
      0,
      Math.floor(this.#heldMax - keptFree) - this.#unstartedTotal - this.#options.unsettled(),
    )
  }

  /** How many more may be held for an account: half of all. */
  capacityOfAccount(accountId: string): number {
    return Math.max(0, this.#heldMax / 2 - (this.#queues.account(accountId)?.unstarted ?? 0))
  }

  /** How many more may be held in each share: for endpoints that are not proven, no more than can be in flight. */
  capacityOfShares(): Record<Share, number> {
    return { proven: this.#heldMax, ...this.#inFlight.capacity(this.#unstarted) }
  }

  /** How many more may be held for an endpoint, and in which share. */
  capacityOfEndpoint(endpointId: string, failuresInRow: number): { capacity: number; share: Share } {
    const { inFlightPerEndpointMax } = this.#options
    const known = this.#queues.get(endpointId)
    return known === undefined
      ? { capacity: inFlightMaxOf(failuresInRow, inFlightPerEndpointMax), share: shareOf(failuresInRow) }
      : { capacity: known.capacity(inFlightPerEndpointMax), share: known.share }
  }

  endpointsOf(accountId: string): readonly EndpointQueue[] {
    return this.#queues.account(accountId)?.endpoints ?? []
  }

  forgetIdle(): void {
    this.#queues.forgetIdle()
  }

  /** Serves the shares in round-robin order, so that none waits for another. */
  #next(): EndpointQueue | undefined {
    for (let n = 0; n < shares.length; n++) {
      const at = (this.#nextShare + n) % shares.length
      const share = shares[at] ?? 'proven'
      const endpoint = this.#inFlight.hasSlot(share) ? this.#nextOf(share) : undefined
      if (endpoint === undefined) continue
      this.#nextShare = at + 1
      return endpoint
    }
    return undefined
  }

  #nextOf(share: Share): EndpointQueue | undefined {
    const active = this.#active[share]
    let capped = 0
    while (active.first !== null && capped < active.size) {
      const node = active.first
      const flow = node.item
      const endpoint = flow.ready.first
      if (endpoint === null || this.#inFlight.isCapped(flow.account, share, this.#accountsWaiting > 1)) {
        capped++
        active.toEnd(node)
        continue
      }
      const bytes = headBytes + (endpoint.item.unstarted[0]?.body.length ?? 0)
      if (flow.deficitBytes < bytes) {
        flow.deficitBytes += quantumBytes
        active.toEnd(node)
        capped = 0
        continue
      }
      flow.deficitBytes -= bytes
      flow.ready.toEnd(endpoint)
      return endpoint.item
    }
    return undefined
  }

  /** Adds the endpoint to the ready ones of its share, or removes it, by whether it may start something. */
  #updateReady(endpoint: EndpointQueue): void {
    const { share } = endpoint
    const mayStart =
      endpoint.unstarted.length > 0 &&
      endpoint.inFlight < endpoint.inFlightMax(this.#options.inFlightPerEndpointMax)
    if (!mayStart) return this.#removeReady(endpoint, share)
    if (endpoint.node !== null) return
    const flow = endpoint.account.flows[share]
    endpoint.node = flow.ready.append(endpoint)
    flow.node ??= this.#active[share].append(flow)
  }

  #removeReady(endpoint: EndpointQueue, share: Share): void {
    const flow = endpoint.account.flows[share]
    if (endpoint.node === null) return
    flow.ready.remove(endpoint.node)
    endpoint.node = null
    if (flow.ready.size > 0 || flow.node === null) return
    this.#active[share].remove(flow.node)
    flow.node = null
    flow.deficitBytes = 0
  }

  #countUnstarted({ account, share }: EndpointQueue, change: number): void {
    const had = account.unstarted > 0
    account.unstarted += change
    this.#accountsWaiting += Number(account.unstarted > 0) - Number(had)
    this.#unstarted[share] += change
    this.#unstartedTotal += change
  }
}

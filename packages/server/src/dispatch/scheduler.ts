import { LinkedList } from '../collections/linked-list.ts'
import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import type { AccountTurn } from './account-queue.ts'
import { type EndpointQueue, inFlightMaxOf, type Share, shareOf, shares } from './endpoint-queue.ts'
import { EndpointQueues } from './endpoint-queues.ts'
import { InFlight } from './in-flight.ts'

/** What an account may send before it is the next one's turn, in bytes; a delivery counts with its body and a head. */
const quantumBytes = 16_384
const headBytes = 1_024
/** Deliveries held and not started, for each attempt that may be in flight. */
const heldPerSlot = 4
/** Of these, what backlogs and large reports leave to single events. */
const keptFreePart = 1 / 4

export interface SchedulerOptions {
  /** Attempts in flight at once, over all endpoints and for each. */
  inFlightMax: number
  inFlightPerEndpointMax: number
  /** Results that are not written yet: while the database cannot keep up, nothing more is taken. */
  unsettled: () => number
  /** Makes the attempt; it counts as in flight until `ended` or `abandoned` is called. */
  start: (started: Started) => void
}

/** An attempt in flight, and the share it counts in. */
export interface Started {
  delivery: LeasedDelivery
  endpoint: EndpointQueue
  share: Share
}

/**
 * Decides which delivery starts next: deficit round robin over accounts (Shreedhar and Varghese, 1995), and round robin over
 * the endpoints of an account, within these limits:
 * - attempts in flight in total, and for each endpoint; two for one that fails;
 * - endpoints that fail share a quarter of the total, and with those not proven yet half of it;
 * - of that half an account gets no more than it leaves to others;
 * - an account gets at most half of the total while another account has something to start.
 */
export class Scheduler {
  readonly #options: SchedulerOptions
  readonly #heldMax: number
  readonly #queues = new EndpointQueues()
  readonly #turns: Record<Share, LinkedList<AccountTurn>> = {
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

  /** Held and not started. */
  get unstarted(): number {
    return this.#unstartedTotal
  }

  /** Starts nothing and has no capacity from now on. */
  pause(): void {
    this.#paused = true
  }

  add(delivery: LeasedDelivery, failuresInRow: number): void {
    const endpoint = this.#queues.enter(delivery, failuresInRow)
    endpoint.unstarted.push(delivery)
    this.#countUnstarted(endpoint, 1)
    this.#sort(endpoint)
  }

  /** Starts what may start now. */
  pump(): void {
    while (!this.#paused && !this.#inFlight.isFull) {
      const endpoint = this.#next()
      const delivery = endpoint?.unstarted.shift()
      if (endpoint === undefined || delivery === undefined) return
      const { share } = endpoint
      this.#countUnstarted(endpoint, -1)
      this.#inFlight.count(endpoint, share, 1)
      this.#sort(endpoint)
      this.#options.start({ delivery, endpoint, share })
    }
  }

  /** The attempt ended; its result changes how the endpoint is treated from now on. */
  ended(started: Started, outcome: 'success' | 'failure', durationMs: number): void {
    const { endpoint } = started
    this.#inFlight.count(endpoint, started.share, -1)
    const { share } = endpoint
    endpoint.ended(outcome, durationMs)
    if (endpoint.share !== share) {
      this.#leave(endpoint, share)
      this.#unstarted[share] -= endpoint.unstarted.length
      this.#unstarted[endpoint.share] += endpoint.unstarted.length
    }
    this.#sort(endpoint)
  }

  /** No attempt was made after all. */
  abandoned(started: Started): void {
    this.#inFlight.count(started.endpoint, started.share, -1)
    this.#sort(started.endpoint)
  }

  /** Takes out everything that is not started, or only what fulfils a condition. */
  takeOut(condition: (delivery: LeasedDelivery) => boolean = () => true): LeasedDelivery[] {
    const out: LeasedDelivery[] = []
    if (this.#unstartedTotal === 0) return out
    for (const endpoint of this.#queues.values()) {
      if (endpoint.unstarted.length === 0) continue
      const taken = endpoint.unstarted.filter(condition)
      if (taken.length === 0) continue
      const kept = endpoint.unstarted.filter(delivery => !condition(delivery))
      endpoint.unstarted.splice(0, Number.POSITIVE_INFINITY, ...kept)
      this.#countUnstarted(endpoint, -taken.length)
      this.#sort(endpoint)
      out.push(...taken)
    }
    return out
  }

  failuresInRow(endpointId: string): number {
    return this.#queues.get(endpointId)?.failuresInRow ?? 0
  }

  /** How many more deliveries may be held in all; single events find room that the others leave. */
  capacity(forSingleEvents: boolean): number {
    if (this.#paused) return 0
    const kept = forSingleEvents ? 0 : this.#heldMax * keptFreePart
    return Math.max(0, Math.floor(this.#heldMax - kept) - this.#unstartedTotal - this.#options.unsettled())
  }

  /** How many more may be held for an account: half of all. */
  capacityOfAccount(accountId: string): number {
    return Math.max(0, this.#heldMax / 2 - (this.#queues.account(accountId)?.unstarted ?? 0))
  }

  /** How many more may be held for endpoints of each share: those that are not proven hold no more than can be in flight. */
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

  /** The endpoints of an account that this process knows. */
  endpointsOf(accountId: string): readonly EndpointQueue[] {
    return this.#queues.account(accountId)?.endpoints ?? []
  }

  /** Forgets idle endpoints, once there are too many. */
  forgetIdle(): void {
    this.#queues.forgetIdle()
  }

  /** The shares in turn, so that none waits for another. */
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
    const turns = this.#turns[share]
    let passed = 0
    while (turns.first !== null && passed < turns.size) {
      const node = turns.first
      const turn = node.item
      const endpoint = turn.ready.first
      if (endpoint === null || this.#inFlight.isCapped(turn.account, share, this.#accountsWaiting > 1)) {
        passed++
        turns.toEnd(node)
        continue
      }
      const bytes = headBytes + (endpoint.item.unstarted[0]?.body.length ?? 0)
      if (turn.deficitBytes < bytes) {
        turn.deficitBytes += quantumBytes
        turns.toEnd(node)
        passed = 0
        continue
      }
      turn.deficitBytes -= bytes
      turn.ready.toEnd(endpoint)
      return endpoint.item
    }
    return undefined
  }

  /** Puts the endpoint among those of its share that may start something, or takes it out. */
  #sort(endpoint: EndpointQueue): void {
    const { share } = endpoint
    const mayStart =
      endpoint.unstarted.length > 0 &&
      endpoint.inFlight < endpoint.inFlightMax(this.#options.inFlightPerEndpointMax)
    if (!mayStart) return this.#leave(endpoint, share)
    if (endpoint.node !== null) return
    const turn = endpoint.account.turns[share]
    endpoint.node = turn.ready.append(endpoint)
    turn.node ??= this.#turns[share].append(turn)
  }

  #leave(endpoint: EndpointQueue, share: Share): void {
    const turn = endpoint.account.turns[share]
    if (endpoint.node === null) return
    turn.ready.remove(endpoint.node)
    endpoint.node = null
    if (turn.ready.size > 0 || turn.node === null) return
    this.#turns[share].remove(turn.node)
    turn.node = null
    turn.deficitBytes = 0
  }

  #countUnstarted({ account, share }: EndpointQueue, change: number): void {
    const had = account.unstarted > 0
    account.unstarted += change
    this.#accountsWaiting += Number(account.unstarted > 0) - Number(had)
    this.#unstarted[share] += change
    this.#unstartedTotal += change
  }
}

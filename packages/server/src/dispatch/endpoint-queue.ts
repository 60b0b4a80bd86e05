import { LinkedList, type ListNode } from '../collections/linked-list.ts'
import { failingFrom } from '../domain/failing-from.ts'
import type { LeasedDelivery } from '../domain/leased-delivery.ts'

/** Attempts at a failing endpoint at once: one that tests it, and the next one. */
const failingInFlightMax = 2
/** How far ahead a process holds deliveries: longer than a claim or a hand-off takes, and well below `startWithinMs`. */
const aheadMs = 200
/** The most deliveries of an endpoint that wait here, however fast it is. */
const aheadMax = 2_000

/**
 * Parts of the total limit, by what this process knows of an endpoint: `proven` if its last attempt succeeded, `failing` after
 * three failures in a row, else `unproven`.
 */
export type Share = 'proven' | 'unproven' | 'failing'

export const shares: readonly Share[] = ['proven', 'unproven', 'failing']

/** One endpoint's deliveries in this process, and what the process knows of the endpoint. */
export class EndpointQueue {
  readonly account: AccountQueue
  readonly endpointId: string
  /** Held and not started: test events, then the others, oldest first. */
  readonly unstarted: LeasedDelivery[] = []
  inFlight = 0
  failuresInRow: number
  /** Its place in the `ready` list of its account's flow, while it may start something. */
  node: ListNode<EndpointQueue> | null = null
  #proven = false
  /** Exponentially weighted moving average of the durations of successful attempts. */
  #averageMs: number | null = null

  constructor(account: AccountQueue, endpointId: string, failuresInRow: number) {
    this.account = account
    this.endpointId = endpointId
    this.failuresInRow = failuresInRow
  }

  get share(): Share {
    return shareOf(this.failuresInRow, this.#proven)
  }

  /** Adds a delivery behind the others, or a test event behind other test events. */
  add(delivery: LeasedDelivery): void {
    const place = delivery.goesFirst ? this.unstarted.findIndex(one => !one.goesFirst) : -1
    if (place === -1) this.unstarted.push(delivery)
    else this.unstarted.splice(place, 0, delivery)
  }

  inFlightMax(perEndpointMax: number): number {
    return inFlightMaxOf(this.failuresInRow, perEndpointMax)
  }

  /** How many more deliveries it can start in time: its limit, plus its throughput over `aheadMs` by Little's law. */
  capacity(perEndpointMax: number): number {
    const limit = this.inFlightMax(perEndpointMax)
    const isSteady = this.#averageMs !== null && this.share === 'proven'
    const ahead = isSteady ? (limit * aheadMs) / Math.max(this.#averageMs ?? 0, 0.5) : 0
    return Math.max(0, Math.floor(limit + Math.min(aheadMax, ahead)) - this.unstarted.length - this.inFlight)
  }

  finished(outcome: 'success' | 'failure', durationMs: number): void {
    if (outcome === 'failure') {
      this.failuresInRow++
      this.#proven = false
      return
    }
    this.failuresInRow = 0
    this.#proven = true
    this.#averageMs = this.#averageMs === null ? durationMs : this.#averageMs * 0.9 + durationMs * 0.1
  }
}

/** One account's deliveries in this process, and its flow in each share. */
export class AccountQueue {
  readonly accountId: string
  /** Its endpoints that this process has sent to. */
  endpoints: EndpointQueue[] = []
  unstarted = 0
  inFlight = 0
  /** Those in flight to endpoints that are not proven. */
  inFlightUnproven = 0
  readonly flows: Record<Share, AccountFlow> = {
    proven: new AccountFlow(this),
    unproven: new AccountFlow(this),
    failing: new AccountFlow(this),
  }

  constructor(accountId: string) {
    this.accountId = accountId
  }
}

/** What deficit round robin knows of one account in one share. */
export class AccountFlow {
  readonly account: AccountQueue
  /** Endpoints of the account that may start something. */
  readonly ready = new LinkedList<EndpointQueue>()
  /** Bytes that it may still send in this round. */
  deficitBytes = 0
  /** Its place among the active flows, while any of its endpoints is ready. */
  node: ListNode<AccountFlow> | null = null

  constructor(account: AccountQueue) {
    this.account = account
  }
}

/** The share of an endpoint that failed this many times in a row. */
export function shareOf(failuresInRow: number, proven = false): Share {
  if (failuresInRow >= failingFrom) return 'failing'
  return proven ? 'proven' : 'unproven'
}

/** Attempts that may be in flight at once for an endpoint that failed this many times in a row. */
export function inFlightMaxOf(failuresInRow: number, perEndpointMax: number): number {
  return failuresInRow >= failingFrom ? Math.min(failingInFlightMax, perEndpointMax) : perEndpointMax
}

import type { ListNode } from '../collections/linked-list.ts'
import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import type { AccountQueue } from './account-queue.ts'

/** Failures in a row from which an endpoint counts as failing. */
const failingFrom = 3
/** Attempts at a failing endpoint at once: one that finds out, and one behind it. */
const failingInFlightMax = 2
/** How far ahead deliveries are held: a claim or a report brings the next ones in less, and startWithinMs is far. */
const aheadMs = 200
/** Deliveries of an endpoint that wait here at most, however fast it is. */
const aheadMax = 2_000

/**
 * Parts of the total limit, by what this process knows of an endpoint: `proven` if its last attempt succeeded, `failing` after
 * three failures in a row, else `unproven`.
 */
export type Share = 'proven' | 'unproven' | 'failing'

export const shares: readonly Share[] = ['proven', 'unproven', 'failing']

/** What this process holds of one endpoint, and what it knows of it. */
export class EndpointQueue {
  readonly account: AccountQueue
  readonly endpointId: string
  /** Held and not started, oldest first. */
  readonly unstarted: LeasedDelivery[] = []
  inFlight = 0
  failuresInRow: number
  /** Its place among the endpoints of its account that may start something, while it may. */
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

  /** Attempts that may be in flight at once. */
  inFlightMax(perEndpointMax: number): number {
    return inFlightMaxOf(this.failuresInRow, perEndpointMax)
  }

  /** How many more deliveries it can start in time: its limit, and by Little's law what passes through it meanwhile. */
  capacity(perEndpointMax: number): number {
    const limit = this.inFlightMax(perEndpointMax)
    const isSteady = this.#averageMs !== null && this.share === 'proven'
    const ahead = isSteady ? (limit * aheadMs) / Math.max(this.#averageMs ?? 0, 0.5) : 0
    return Math.max(0, Math.floor(limit + Math.min(aheadMax, ahead)) - this.unstarted.length - this.inFlight)
  }

  ended(outcome: 'success' | 'failure', durationMs: number): void {
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

/** The share of an endpoint that has had so many failures in a row. */
export function shareOf(failuresInRow: number, proven = false): Share {
  if (failuresInRow >= failingFrom) return 'failing'
  return proven ? 'proven' : 'unproven'
}

/** Attempts that may be in flight at once for an endpoint that has had so many failures in a row. */
export function inFlightMaxOf(failuresInRow: number, perEndpointMax: number): number {
  return failuresInRow >= failingFrom ? Math.min(failingInFlightMax, perEndpointMax) : perEndpointMax
}

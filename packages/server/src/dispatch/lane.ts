import type { Place } from '../domain/line.ts'
import type { TakenDelivery } from '../domain/taken-delivery.ts'
import type { AccountLoad } from './account-load.ts'

/** Attempts at an endpoint that just fails, at once. */
const failingInFlightMax = 2
/** Failures in a row from which an endpoint draws on the failing share. */
const failingFrom = 3
/** How far ahead of the next free slot deliveries may be taken; far below the second that they may be held. */
const horizonMs = 200
const queueMax = 2_000
/** For so long the quickest of an endpoint's attempts tells something about those that follow. */
const quickestRemembersMs = 10_000

export const shares = ['proven', 'unproven', 'failing'] as const

export type Share = (typeof shares)[number]

/** The share of an endpoint that this process has not sent to. */
export function shareOfUnknown(failuresInRow: number): Share {
  return failuresInRow >= failingFrom ? 'failing' : 'unproven'
}

/** How many deliveries of an endpoint that this process has not sent to can be started in time. */
export function roomOfUnknown(failuresInRow: number, healthyMax: number): number {
  return inFlightMaxOf(failuresInRow >= failingFrom, healthyMax)
}

function inFlightMaxOf(failing: boolean, healthyMax: number): number {
  return failing ? Math.min(failingInFlightMax, healthyMax) : healthyMax
}

/** What this process knows of one endpoint, and what it holds for it. */
export class Lane {
  readonly account: AccountLoad
  readonly endpointId: string
  /** Taken and not started, oldest first. */
  readonly queue: TakenDelivery[] = []
  inFlight = 0
  /** Where it stands among its account's endpoints that may start something, while it may. */
  turn: Place<Lane> | null = null
  /** Where it stands among all endpoints that have something unstarted, while it has. */
  unstarted: Place<Lane> | null = null
  failuresInRow: number
  /** An attempt of this process succeeded since the last failure. */
  proven = false
  /** Moving average of successful attempts' durations. */
  #averageMs: number | null = null
  /** The least of them in the last seconds: what the receiver takes where nothing waits for the processor. */
  #quickestMs = 0
  #lastAtMs = Number.NEGATIVE_INFINITY

  constructor(account: AccountLoad, endpointId: string, failuresInRow: number) {
    this.account = account
    this.endpointId = endpointId
    this.failuresInRow = failuresInRow
  }

  get failing(): boolean {
    return this.failuresInRow >= failingFrom
  }

  /** The share of the process's capacity that its attempts draw on. */
  get share(): Share {
    return this.failing ? 'failing' : this.proven ? 'proven' : 'unproven'
  }

  /** Attempts that may be under way at once. */
  inFlightMax(healthyMax: number): number {
    return inFlightMaxOf(this.failing, healthyMax)
  }

  /** How many deliveries can be started within the horizon: a slotful, and what the slots get through at the pace seen so far. */
  startable(healthyMax: number): number {
    const slots = this.inFlightMax(healthyMax)
    const ahead =
      this.#averageMs === null || this.failing ? 0 : (slots * horizonMs) / Math.max(this.#averageMs, 0.5)
    return Math.min(queueMax, Math.floor(slots + ahead))
  }

  /** How many more than those that are held or under way. */
  room(healthyMax: number): number {
    return Math.max(0, this.startable(healthyMax) - this.queue.length - this.inFlight)
  }

  get quickestMs(): number {
    return this.#quickestMs
  }

  finished(outcome: 'success' | 'failure', durationMs: number, nowMs: number): void {
    if (outcome === 'failure') {
      this.failuresInRow++
      this.proven = false
      return
    }
    this.failuresInRow = 0
    this.proven = true
    this.#averageMs = this.#averageMs === null ? durationMs : this.#averageMs * 0.9 + durationMs * 0.1
    const forgotten = Math.min(1, (nowMs - this.#lastAtMs) / quickestRemembersMs)
    this.#quickestMs = Math.min(durationMs, this.#quickestMs + (durationMs - this.#quickestMs) * forgotten)
    this.#lastAtMs = nowMs
  }
}

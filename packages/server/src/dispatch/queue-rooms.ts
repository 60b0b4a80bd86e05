import type { Clock } from '../context.ts'
import type { BulkStarts } from '../domain/bulk-starts.ts'
import type { Rooms } from '../domain/rooms.ts'
import type { AccountLoad } from './account-load.ts'
import { roomOfUnknown, type Share } from './lane.ts'
import type { Lanes } from './lanes.ts'
import type { Slots } from './slots.ts'
import type { Unstarted } from './unstarted.ts'

/** Deliveries that may lie here unstarted or await their settlement, over all endpoints. */
const heldMax = 4_000

/** Most of it for one account: a burst waits in the table, not in everybody's way. */
const heldByAccountMax = heldMax / 2

/** What bulk and backlogs leave of it to what arrives a few events at a time. */
const keptFree = heldMax / 8

/** Of what is reported at once, so much must fit into what an endpoint takes in a moment for it to be worth a wait. */
const quickPart = 1 / 4

/** How many more deliveries may be taken for endpoints of each share. */
export type ShareRooms = Record<Share, number>

export interface QueueRoomsOptions {
  clock: Pick<Clock, 'monotonicMs'>
  /** When deliveries of those who report in bulk may begin. */
  bulk: BulkStarts
  /** Attempts under way at once for one endpoint. */
  inFlightPerEndpointMax: number
  /** Results that wait for the statement before theirs: where the database cannot keep up, nothing more is taken. */
  gathered: () => number
  gatheredOf: (accountId: string) => number
}

/** What a queue knows, holds and has under way. */
export interface QueueLoad {
  lanes: Lanes
  unstarted: Unstarted
  slots: Slots
  isPaused: () => boolean
}

/**
 * Says how many more deliveries a queue may take, in all and for whom, so that what it holds stands in nobody's way:
 * - no more for an endpoint than can be started in time;
 * - for those that are not proven or fail no more than may be under way at once;
 * - an account holds at most half of the queue, with its results that are not written yet;
 * - what arrives a few events at a time finds room that bulk and backlogs may not take;
 * - of what was reported in bulk no more than begins soon at its pace.
 */
export class QueueRooms {
  readonly #options: QueueRoomsOptions
  readonly #load: QueueLoad

  constructor(options: QueueRoomsOptions, load: QueueLoad) {
    this.#options = options
    this.#load = load
  }

  /** In all, but for what is kept free. */
  get total(): number {
    return Math.max(0, this.#totalForFew - keptFree)
  }

  get #totalForFew(): number {
    const { unstarted, isPaused } = this.#load
    return isPaused() ? 0 : Math.max(0, heldMax - unstarted.total - this.#options.gathered())
  }

  /** Whether bulk has a pace that leaves it less than what the queue could hold. */
  get isPaced(): boolean {
    return this.#ofPace < heldMax
  }

  get #ofPace(): number {
    return this.#options.bulk.room(this.#options.clock.monotonicMs())
  }

  /** For this account. */
  ofAccount(accountId: string): number {
    const unstarted = this.#load.lanes.account(accountId)?.unstarted ?? 0
    const held = unstarted + this.#options.gatheredOf(accountId)
    const ofPace = this.#options.bulk.roomOf(accountId, this.#options.clock.monotonicMs())
    return Math.max(0, Math.min(heldByAccountMax, ofPace) - held)
  }

  /**
   * For this account: at least what is asked for, or exactly what there is. Of thousands of accounts each has so little of
   * what is held that nobody needs to look at what is its own.
   */
  #ofAccountFor(asked: number, accountId: string, account: AccountLoad | undefined): number {
    const heldAtMost = (account?.unstarted ?? 0) + this.#options.gathered()
    const hasPace = this.#ofPace < Number.POSITIVE_INFINITY
    return hasPace || heldAtMost + asked > heldByAccountMax ? this.ofAccount(accountId) : asked
  }

  /** For this endpoint: what could be started in time. */
  ofEndpoint(endpointId: string, failuresInRow: number): number {
    const healthyMax = this.#options.inFlightPerEndpointMax
    return this.#load.lanes.get(endpointId)?.room(healthyMax) ?? roomOfUnknown(failuresInRow, healthyMax)
  }

  /**
   * For endpoints of each share. Those that are not proven or fail hold no more than they may have under way: where receivers
   * hang, it would fill the queue only to be given back, and keep the others' deliveries out of it.
   */
  byShare(): ShareRooms {
    return { proven: this.total, ...this.#load.slots.roomOfUnproven(this.#load.unstarted.byShare) }
  }

  /** For what this account has that is not proven: no more than it leaves of what there is for such. */
  partOfUnproven(accountId: string, { unproven }: ShareRooms): number {
    const account = this.#load.lanes.account(accountId)
    const held = account === undefined ? 0 : account.inFlightUnproven + account.unstartedUnproven
    return Math.max(0, Math.ceil((unproven - held) / 2))
  }

  /**
   * What the accept statement may hand over; half of it while others' older deliveries wait to be claimed.
   * @param inBulk whether it stores what was reported in bulk
   */
  forHandOff(othersWait: boolean, inBulk: boolean): Rooms {
    const healthyMax = this.#options.inFlightPerEndpointMax
    const total = inBulk ? Math.min(this.total, this.#ofPace) : this.#totalForFew
    // to an endpoint that nothing is known of
    const perEndpoint = Math.min(healthyMax, this.byShare().unproven)
    return {
      total: othersWait ? Math.floor(total / 2) : total,
      perEndpoint,
      known: events => {
        const rooms = new Map<string, number>()
        for (const [accountId, count] of events) {
          const account = this.#load.lanes.account(accountId)
          if (account === undefined) continue
          const ofAccount = this.#ofAccountFor(count, accountId, account)
          for (const lane of account.lanes) {
            const ofLane = lane.failing ? 0 : Math.min(ofAccount, lane.room(healthyMax))
            const room = lane.share === 'proven' ? ofLane : Math.min(ofLane, perEndpoint)
            if (Math.min(room, count) !== Math.min(perEndpoint, count)) rooms.set(lane.endpointId, room)
          }
        }
        return rooms
      },
    }
  }

  /** Whether so many more for this account would soon find room, and do not now: its receivers are quick enough, and crowded. */
  isCrowded(accountId: string, deliveries: number): boolean {
    const account = this.#load.lanes.account(accountId)
    if (deliveries <= heldByAccountMax && this.#ofAccountFor(deliveries, accountId, account) < deliveries)
      return true
    const healthyMax = this.#options.inFlightPerEndpointMax
    for (const lane of account?.lanes ?? []) {
      const startable = lane.startable(healthyMax)
      const isQuick = lane.share === 'proven' && startable >= deliveries * quickPart
      if (isQuick && lane.room(healthyMax) < Math.min(deliveries, startable)) return true
    }
    return false
  }
}

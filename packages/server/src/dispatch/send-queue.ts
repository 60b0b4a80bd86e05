import type { Clock } from '../context.ts'
import type { BulkStarts } from '../domain/bulk-starts.ts'
import type { Place } from '../domain/line.ts'
import { RecentStarts } from '../domain/recent-starts.ts'
import type { Rooms } from '../domain/rooms.ts'
import type { TakenDelivery } from '../domain/taken-delivery.ts'
import type { AccountLoad } from './account-load.ts'
import { type Lane, roomOfUnknown, type Share, shareOfUnknown, shares } from './lane.ts'
import { Lanes } from './lanes.ts'
import { LookAgain } from './look-again.ts'
import { Slots } from './slots.ts'
import { Turns } from './turns.ts'
import { Unstarted } from './unstarted.ts'

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

export interface SendQueueOptions {
  clock: Pick<Clock, 'monotonicMs'>
  /** When deliveries of those who report in bulk may begin. */
  bulk: BulkStarts
  /** Calls back soon: what waits for its time is looked at again. */
  soon: (wake: () => void) => void
  /** Attempts under way at once, in all and for one endpoint. */
  inFlightMax: number
  inFlightPerEndpointMax: number
  /** Results that wait for the statement before theirs: where the database cannot keep up, nothing more is taken. */
  gathered: () => number
  gatheredOf: (accountId: string) => number
  /** Makes the attempt; the queue counts it as under way until `finished` or `abandoned` is called. */
  start: (started: Started) => void
}

/** An attempt under way, and the share of the capacity that it was counted in. */
export interface Started {
  taken: TakenDelivery
  lane: Lane
  share: Share
  /** Where it stands among those that have just begun; null where its endpoint is not proven. */
  recent: Place<number> | null
}

/**
 * Decides which delivery is started next, so that nobody waits for somebody else's bad receiver:
 * - an endpoint has at most its own number of attempts under way, two while it fails;
 * - endpoints that fail share a quarter of the capacity, those not proven yet and those that fail half of it;
 * - of what those not proven and those that fail may have, an account takes no more than it leaves to others;
 * - an account gets at most half while another account has something queued, and holds at most half of the queue;
 * - what arrives a few events at a time finds room that bulk and backlogs may not take;
 * - what was reported in bulk begins at a pace, where others report a few events at a time;
 * - no more begin at proven endpoints than the processor gets through, however many may be under way;
 * - among those that may start, accounts take turns, and within an account its endpoints do.
 */
export class SendQueue {
  readonly #options: SendQueueOptions
  readonly #lanes = new Lanes()
  readonly #turns = {
    proven: new Turns('proven'),
    unproven: new Turns('unproven'),
    failing: new Turns('failing'),
  }
  readonly #unstarted = new Unstarted()
  readonly #slots: Slots
  readonly #recent = new RecentStarts()
  readonly #lookAgain: LookAgain
  #turn = 0
  #paused = false

  constructor(options: SendQueueOptions) {
    this.#options = options
    this.#slots = new Slots(options.inFlightMax)
    this.#lookAgain = new LookAgain(options.soon, () => this.pump())
  }

  get inFlight(): number {
    return this.#slots.taken
  }

  get queued(): number {
    return this.#unstarted.total
  }

  /** How many more deliveries may be taken in all, but for what is kept free. */
  get room(): number {
    return Math.max(0, this.#roomForFew - keptFree)
  }

  get #roomForFew(): number {
    return this.#paused ? 0 : Math.max(0, heldMax - this.queued - this.#options.gathered())
  }

  /** Whether bulk has a pace that leaves it less than what could lie here. */
  get isPaced(): boolean {
    return this.#options.bulk.room(this.#options.clock.monotonicMs()) < heldMax
  }

  /** How many more deliveries of this account may be taken. */
  roomOfAccount(accountId: string): number {
    const unstarted = this.#lanes.account(accountId)?.unstarted ?? 0
    const held = unstarted + this.#options.gatheredOf(accountId)
    const ofPace = this.#options.bulk.roomOf(accountId, this.#options.clock.monotonicMs())
    return Math.max(0, Math.min(heldByAccountMax, ofPace) - held)
  }

  /**
   * How many more deliveries of this account may be taken: at least what is asked for, or exactly what there is. Of thousands
   * of accounts each has so little of what is held that nobody needs to look at what is its own.
   */
  #roomFor(accountId: string, account: AccountLoad | undefined, asked: number): number {
    const { bulk, clock, gathered } = this.#options
    const heldAtMost = (account?.unstarted ?? 0) + gathered()
    const hasPace = bulk.room(clock.monotonicMs()) < Number.POSITIVE_INFINITY
    return hasPace || heldAtMost + asked > heldByAccountMax ? this.roomOfAccount(accountId) : asked
  }

  /** How many more deliveries of this endpoint could be started in time. */
  roomOf(endpointId: string, failuresInRow: number): number {
    const healthyMax = this.#options.inFlightPerEndpointMax
    return this.#lanes.get(endpointId)?.room(healthyMax) ?? roomOfUnknown(failuresInRow, healthyMax)
  }

  /** Whether so many more for this account would soon find room, and do not now: its receivers are quick enough, and crowded. */
  isCrowded(accountId: string, deliveries: number): boolean {
    const account = this.#lanes.account(accountId)
    if (deliveries <= heldByAccountMax && this.#roomFor(accountId, account, deliveries) < deliveries)
      return true
    const healthyMax = this.#options.inFlightPerEndpointMax
    for (const lane of account?.lanes ?? []) {
      const startable = lane.startable(healthyMax)
      const isQuick = lane.share === 'proven' && startable >= deliveries * quickPart
      if (isQuick && lane.room(healthyMax) < Math.min(deliveries, startable)) return true
    }
    return false
  }

  /** How many attempts at this endpoint have failed since one succeeded, as far as this process knows. */
  failuresInRow(endpointId: string): number {
    return this.#lanes.get(endpointId)?.failuresInRow ?? 0
  }

  /** The share that this endpoint's attempts draw on. */
  shareOf(endpointId: string, failuresInRow: number): Share {
    return this.#lanes.get(endpointId)?.share ?? shareOfUnknown(failuresInRow)
  }

  /**
   * How many more deliveries may be taken for endpoints of each share. Those that are not proven or fail hold no more
   * than they may have under way: where receivers hang, it would fill the queue only to be given back, and keep the
   * others' deliveries out of it.
   */
  roomByShare(): ShareRooms {
    return { proven: this.room, ...this.#slots.roomOfUnproven(this.#unstarted.byShare) }
  }

  /** How many more deliveries of this account may be taken for endpoints that are not proven: no more than it leaves. */
  partOfUnproven(accountId: string, { unproven }: ShareRooms): number {
    const account = this.#lanes.account(accountId)
    const held = account === undefined ? 0 : account.inFlightUnproven + account.unstartedUnproven
    return Math.max(0, Math.ceil((unproven - held) / 2))
  }

  /**
   * What the accept statement may hand over; half of it while others' older deliveries wait to be claimed.
   * @param inBulk whether it stores what was reported in bulk
   */
  roomsForHandOff(othersWait: boolean, inBulk: boolean): Rooms {
    const healthyMax = this.#options.inFlightPerEndpointMax
    const ofPace = this.#options.bulk.room(this.#options.clock.monotonicMs())
    const room = inBulk ? Math.min(this.room, ofPace) : this.#roomForFew
    // to an endpoint that nothing is known of
    const perEndpoint = Math.min(healthyMax, this.roomByShare().unproven)
    return {
      total: othersWait ? Math.floor(room / 2) : room,
      perEndpoint,
      known: events => {
        const rooms = new Map<string, number>()
        for (const [accountId, count] of events) {
          const account = this.#lanes.account(accountId)
          if (account === undefined) continue
          const ofAccount = this.#roomFor(accountId, account, count)
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

  add(taken: TakenDelivery, failuresInRow: number): void {
    const lane = this.#lanes.enter(taken.accountId, taken.endpointId, failuresInRow)
    lane.queue.push(taken)
    this.#unstarted.changed(lane, 1)
    this.#enter(lane)
  }

  /** Starts whatever may start now, and soon what has to wait for its time. */
  pump(): void {
    const nowMs = this.#options.clock.monotonicMs()
    while (!this.#paused && !this.#slots.full) {
      const lane = this.#next(nowMs)
      const taken = lane?.queue.shift()
      if (lane === undefined || taken === undefined) return
      const { account, share } = lane
      const recent = share === 'proven' ? this.#recent.begins(nowMs) : null
      const started = { taken, lane, share, recent }
      this.#options.bulk.begins(account.accountId, account.unstarted, nowMs)
      this.#unstarted.changed(lane, -1)
      this.#slots.count(account, share, 1)
      lane.inFlight += 1
      this.#enter(lane)
      this.#options.start(started)
    }
  }

  /** The attempt ended; its result changes how the endpoint is treated from now on. */
  finished(started: Started, outcome: 'success' | 'failure', durationMs: number): void {
    this.#noLongerInFlight(started)
    const { lane } = started
    const { share } = lane
    lane.finished(outcome, durationMs)
    if (lane.share !== share) {
      this.#turns[share].remove(lane)
      this.#unstarted.moved(lane, share)
    }
    this.#enter(lane)
  }

  /** No attempt was made after all. */
  abandoned(started: Started): void {
    this.#noLongerInFlight(started)
    this.#enter(started.lane)
  }

  /** Starts nothing until resumed. */
  pause(): void {
    this.#paused = true
  }

  resume(): void {
    this.#paused = false
  }

  /** Takes out everything that was not started, or only what may not be started any more. */
  takeOut(isDue: (taken: TakenDelivery) => boolean): TakenDelivery[] {
    const out: TakenDelivery[] = []
    for (const lane of this.#unstarted.lanes) {
      const keep = lane.queue.filter(taken => !isDue(taken))
      if (keep.length === lane.queue.length) continue
      out.push(...lane.queue.filter(isDue))
      const change = keep.length - lane.queue.length
      lane.queue.splice(0, lane.queue.length, ...keep)
      this.#unstarted.changed(lane, change)
      if (keep.length === 0) this.#turns[lane.share].remove(lane)
    }
    return out
  }

  /** Forgets what is known of idle endpoints, once there are too many. */
  forgetIdle(): void {
    this.#lanes.forgetIdle()
  }

  #next(nowMs: number): Lane | undefined {
    const othersWait = this.#unstarted.accounts > 1
    for (let i = 0; i < shares.length; i++) {
      const share = shares[(this.#turn + i) % shares.length] ?? 'proven'
      const turns = this.#turns[share]
      if (turns.isEmpty || !this.#slots.hasPlaceFor(share)) continue
      if (share === 'proven' && this.#mustWaitForRecent(nowMs)) continue
      const lane = turns.next(
        account => this.#slots.isCapped(account, share, othersWait) || this.#mustWaitForPace(account, nowMs),
      )
      if (lane === undefined) continue
      this.#turn = (this.#turn + i + 1) % shares.length
      return lane
    }
    return undefined
  }

  #mustWaitForRecent(nowMs: number): boolean {
    if (!this.#recent.isFull(nowMs)) return false
    this.#lookAgain.mustWait()
    return true
  }

  #mustWaitForPace({ accountId, unstarted }: AccountLoad, nowMs: number): boolean {
    if (!this.#options.bulk.mustWait(accountId, unstarted, nowMs)) return false
    this.#lookAgain.mustWait()
    return true
  }

  #enter(lane: Lane): void {
    const turns = this.#turns[lane.share]
    if (lane.queue.length > 0 && lane.inFlight < lane.inFlightMax(this.#options.inFlightPerEndpointMax)) {
      turns.add(lane)
    } else {
      turns.remove(lane)
    }
  }

  #noLongerInFlight({ lane, share, recent }: Started): void {
    lane.inFlight -= 1
    this.#slots.count(lane.account, share, -1)
    if (recent !== null) this.#recent.ended(recent)
  }
}

import type { Place } from '../domain/line.ts'
import { type RecentStart, RecentStarts } from '../domain/recent-starts.ts'
import type { TakenDelivery } from '../domain/taken-delivery.ts'
import type { AccountLoad } from './account-load.ts'
import { type Lane, type Share, shareOfUnknown, shares } from './lane.ts'
import { Lanes } from './lanes.ts'
import { LookAgain } from './look-again.ts'
import { QueueRooms, type QueueRoomsOptions } from './queue-rooms.ts'
import { Slots } from './slots.ts'
import { Turns } from './turns.ts'
import { Unstarted } from './unstarted.ts'

export interface SendQueueOptions extends QueueRoomsOptions {
  /** Calls back soon: what waits for its time is looked at again. */
  soon: (wake: () => void) => void
  /** Attempts under way at once, over all endpoints. */
  inFlightMax: number
  /** Makes the attempt; the queue counts it as under way until `finished` or `abandoned` is called. */
  start: (started: Started) => void
}

/** An attempt under way, and the share of the capacity that it was counted in. */
export interface Started {
  taken: TakenDelivery
  lane: Lane
  share: Share
  /** Where it stands among those that have just begun; null where its endpoint is not proven. */
  recent: Place<RecentStart> | null
}

/**
 * Decides which delivery is started next, so that nobody waits for somebody else's bad receiver:
 * - an endpoint has at most its own number of attempts under way, two while it fails;
 * - endpoints that fail share a quarter of the capacity, those not proven yet and those that fail half of it;
 * - of what those not proven and those that fail may have, an account takes no more than it leaves to others;
 * - an account gets at most half while another account has something queued;
 * - what was reported in bulk begins at a pace, where others report a few events at a time;
 * - no more begin at proven endpoints than the processor gets through, however many may be under way;
 * - among those that may start, accounts take turns, and within an account its endpoints do.
 */
export class SendQueue {
  /** How much more it may be given. */
  readonly rooms: QueueRooms
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
    this.rooms = new QueueRooms(options, {
      lanes: this.#lanes,
      unstarted: this.#unstarted,
      slots: this.#slots,
      isPaused: () => this.#paused,
    })
  }

  get inFlight(): number {
    return this.#slots.taken
  }

  get queued(): number {
    return this.#unstarted.total
  }

  /** How many attempts at this endpoint have failed since one succeeded, as far as this process knows. */
  failuresInRow(endpointId: string): number {
    return this.#lanes.get(endpointId)?.failuresInRow ?? 0
  }

  /** The share that this endpoint's attempts draw on. */
  shareOf(endpointId: string, failuresInRow: number): Share {
    return this.#lanes.get(endpointId)?.share ?? shareOfUnknown(failuresInRow)
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
      const recent = share === 'proven' ? this.#recent.begins(nowMs, lane.quickestMs) : null
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
    lane.finished(outcome, durationMs, this.#options.clock.monotonicMs())
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

import type { Clock } from '../context.ts'
import type { Database } from '../db/database.ts'
import { type BulkPace, fewMax, restsOfClaims } from '../domain/bulk-pace.ts'
import { ClaimDebt } from '../domain/claim-debt.ts'
import { ClaimSize } from '../domain/claim-size.ts'
import type { LeftEndpoint } from '../domain/left-endpoint.ts'
import type { TakenDelivery } from '../domain/taken-delivery.ts'
import { claim } from './claim.ts'
import { claimPaced } from './claim-paced.ts'
import { claimRooms, type Room } from './claim-rooms.ts'
import { DueEndpoints } from './due-endpoints.ts'
import { findReady } from './find-ready.ts'
import { freeExpiredLeases } from './free-expired-leases.ts'
import type { GiveBack } from './give-back.ts'
import type { Share } from './lane.ts'
import { Loop } from './loop.ts'
import type { SendQueue } from './send-queue.ts'
import type { Settlement } from './settle.ts'

export interface ClaimerOptions {
  db: Database
  clock: Clock
  processId: string
  leaseMs: number
  drainPerSecond: number
  queue: SendQueue
  giveBack: GiveBack
  pace: BulkPace
  /** Passes the time for which a claim in bulk makes way. */
  rest: (ms: number) => Promise<void>
  /** False while nothing may be taken: the clocks differ too much, or a suspect is sent alone. */
  mayTake: () => boolean
  onClaimed: (claimed: readonly TakenDelivery[], failuresInRow: (endpointId: string) => number) => void
  onError: (error: unknown) => void
}

/** The safety net behind notifications and timers. */
const pollEveryMs = 5_000

/** How much of the time may go by looking for leases that are over: what is held has no index for it. */
const leasesShare = 0.01

/**
 * From the beginning of one claim to that of the next, where there was little. Each is a commit that everybody else's commits
 * wait for, and beside receivers that refuse at once there would be hundreds in a second.
 */
const spacingMs = 20
/**
 * The same for endpoints that fail, and for those not proven while few places are left to them. Where receivers hang thousands
 * wait for the few places, and each claim is a commit, a look for the keys to sign with and a settlement for two or three of
 * them; who waits here is late anyway. A process that has just begun knows of nobody that is proven, and has all places.
 */
const spacingOfUnprovenMs = 100

/** Takes due deliveries that nobody holds, as many as the send queue has room for, endpoint by endpoint. */
export class Claimer {
  readonly #options: ClaimerOptions
  readonly #due: DueEndpoints
  readonly #size = new ClaimSize()
  readonly #debt = new ClaimDebt()
  readonly #loop: Loop
  /** The last round ended because there was no more room in all, or none for an account. */
  #ranOut = false
  #mayBeginAtMs = Number.NEGATIVE_INFINITY
  #mayAskUnprovenAtMs = Number.NEGATIVE_INFINITY
  #freeLeasesAtMs = Number.NEGATIVE_INFINITY

  constructor(options: ClaimerOptions) {
    this.#options = options
    this.#due = new DueEndpoints(({ endpointId, failuresInRow }) =>
      options.queue.shareOf(endpointId, failuresInRow),
    )
    this.#loop = new Loop(async () => await this.#round(), { pollEveryMs, onError: options.onError })
  }

  start(): void {
    this.#due.mayHaveChanged()
    this.#loop.start()
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
  }

  /** Endpoints known to have something due wait for room. */
  get othersWait(): boolean {
    return this.#due.endpoints.size > 0
  }

  /** Something of this account is known to be due that nobody holds, for a receiver that takes what it is sent. */
  hasDue(accountId: string): boolean {
    return this.#due.endpoints.hasProven(accountId)
  }

  /** Something became due somewhere: the table must be asked. */
  lookAgain(): void {
    this.#due.mayHaveChanged()
    this.#loop.wake()
  }

  /** These endpoints have something due. */
  left(endpoints: readonly LeftEndpoint[]): void {
    if (endpoints.length === 0) return
    for (const endpoint of endpoints) {
      this.#due.add(endpoint)
      this.#debt.left(endpoint.deliveries)
    }
    this.#loop.wake()
  }

  /** There is something to give back. */
  mustGiveBack(): void {
    this.#loop.wake()
  }

  /** An attempt at this endpoint ended: whoever waits for what it leaves is looked for. */
  attemptEnded(endpointId: string, share: Share): void {
    const { endpoints } = this.#due
    if (endpoints.size === 0) return
    const hasMore = endpoints.sort(endpointId)
    if (hasMore || share !== 'proven' || this.#ranOut) this.#loop.wake()
  }

  /** Results are written: they take no room from others any more, and what is to be tried again will be due. */
  settled(batch: readonly Settlement[]): void {
    const nowMs = this.#options.clock.monotonicMs()
    for (const { taken, verdict } of batch)
      if (verdict.dueInMs !== null) this.#dueAgain(taken, nowMs + verdict.dueInMs)
    this.#loop.timerMayHaveChanged(this.#due.nextInMs(nowMs))
    if (this.#due.endpoints.size > 0 && this.#ranOut) this.#loop.wake()
  }

  async #round(): Promise<{ nextInMs: number | null }> {
    const { db, clock, queue, giveBack, pace, rest } = this.#options
    const earlyMs = this.#mayBeginAtMs - clock.monotonicMs()
    if (earlyMs > 0) return { nextInMs: earlyMs }
    this.#mayBeginAtMs = clock.monotonicMs() + spacingMs
    queue.forgetIdle()
    giveBack.add(...queue.takeOut(taken => clock.monotonicMs() > taken.startByMs))
    for (const given of await giveBack.flush()) this.#dueAgain(given, clock.monotonicMs() + given.dueInMs)
    if (!this.#options.mayTake()) return { nextInMs: null }
    await this.#freeLeases()
    this.#due.ring(clock.monotonicMs())
    if (this.#due.isLookDue(clock.monotonicMs())) {
      const askedAtMs = clock.monotonicMs()
      const readiness = await findReady(db, this.#due.look())
      this.#due.found(readiness, { askedAtMs, nowMs: clock.monotonicMs(), pollEveryMs })
    }
    this.#due.claimBegins()
    const fromMs = clock.monotonicMs()
    const { max, ofEach } = this.#size
    const isSpaced = fromMs < this.#mayAskUnprovenAtMs
    const hasPlaces = queue.rooms.byShare().unproven > fewMax
    const asks = (share: Share): boolean =>
      share === 'proven' || !isSpaced || (share === 'unproven' && hasPlaces)
    const { rooms, ranOut, asksUnproven } = claimRooms(this.#due.endpoints, queue.rooms, {
      max,
      ofEach,
      asks,
    })
    this.#ranOut = ranOut
    if (asksUnproven && !isSpaced) this.#mayAskUnprovenAtMs = fromMs + spacingOfUnprovenMs
    const claimed = rooms.length === 0 ? [] : await this.#claim(rooms)
    const untilMs = clock.monotonicMs()
    const asked = rooms.reduce((sum, { room }) => sum + room, 0)
    this.#size.took(asked, claimed.length, untilMs - fromMs)
    const failures = new Map(rooms.map(room => [room.endpointId, room.failuresInRow]))
    this.#due.claimed(rooms, claimed)
    this.#debt.claimed(claimed.length)
    if (claimed.length > 0) this.#options.onClaimed(claimed, endpointId => failures.get(endpointId) ?? 0)
    if (claimed.length > fewMax) {
      this.#mayBeginAtMs = untilMs
      const restMs = pace.restMsAfter(fromMs, untilMs, restsOfClaims)
      if (restMs > 0 && this.#debt.mayRest) await rest(restMs)
    }
    // who was asked gave all that there was room for, or is not known to have anything any more: it goes on with others
    const more = this.#due.endpoints.size > 0 && rooms.length > 0
    const nowMs = clock.monotonicMs()
    const othersInMs = isSpaced ? this.#mayAskUnprovenAtMs - nowMs : Number.POSITIVE_INFINITY
    return { nextInMs: more ? 0 : Math.max(0, Math.min(othersInMs, this.#due.nextInMs(nowMs))) }
  }

  async #freeLeases(): Promise<void> {
    const { db, clock, processId } = this.#options
    const fromMs = clock.monotonicMs()
    if (fromMs < this.#freeLeasesAtMs) return
    try {
      const { freed } = await freeExpiredLeases(db, processId)
      if (freed > 0) this.#due.mayHaveChanged()
    } finally {
      const tookMs = clock.monotonicMs() - fromMs
      this.#freeLeasesAtMs = fromMs + Math.max(pollEveryMs, tookMs / leasesShare)
    }
  }

  #dueAgain({ accountId, endpointId, endpointPaced: paced }: TakenDelivery, atMs: number): void {
    const failuresInRow = this.#options.queue.failuresInRow(endpointId)
    this.#due.dueAt(atMs, { accountId, endpointId, failuresInRow, paced })
  }

  async #claim(rooms: readonly Room[]): Promise<TakenDelivery[]> {
    const { db, processId, leaseMs, drainPerSecond, clock } = this.#options
    const options = { processId, leaseMs, monotonicMs: () => clock.monotonicMs() }
    const free = rooms.filter(room => !room.paced)
    const paced = rooms.filter(room => room.paced)
    const claimed = free.length === 0 ? [] : await claim(db, free, options)
    if (paced.length === 0) return claimed
    const slow = await claimPaced(db, paced, { ...options, drainPerSecond })
    const nowMs = clock.monotonicMs()
    const asked = new Map(paced.map(endpoint => [endpoint.endpointId, endpoint]))
    for (const { endpointId, nextInMs } of slow.heldBack) {
      const endpoint = asked.get(endpointId)
      if (endpoint !== undefined) this.#due.dueAt(nowMs + nextInMs, endpoint)
    }
    return [...claimed, ...slow.claimed]
  }
}

import type { Clock, Random } from '../context.ts'
import type { Database } from '../db/database.ts'
import type { RetryPolicy } from '../domain/backoff.ts'
import type { BulkPace } from '../domain/bulk-pace.ts'
import { decideAttempt, giveUpLost } from '../domain/decide-attempt.ts'
import { drainMsMax } from '../domain/drain-limits.ts'
import type { LeftEndpoint } from '../domain/left-endpoint.ts'
import type { Rooms } from '../domain/rooms.ts'
import type { TakenDelivery } from '../domain/taken-delivery.ts'
import type { Egress } from '../egress/egress.ts'
import type { Seal } from '../seal/seal.ts'
import { attempt, type AttemptOptions, type MadeAttempt } from './attempt.ts'
import { Claimer } from './claimer.ts'
import type { ClockSkew } from './clock-skew.ts'
import { GiveBack } from './give-back.ts'
import { Holds } from './holds.ts'
import { ProfileCache } from './profile-cache.ts'
import { RoomForBulk } from './room-for-bulk.ts'
import { SendQueue, type Started } from './send-queue.ts'
import { type Attempt, settle, type Settlement } from './settle.ts'
import { Settler } from './settler.ts'
import { Suspects } from './suspects.ts'
import { unwritten } from './unwritten.ts'

export interface DispatcherOptions {
  db: Database
  seal: Seal
  egress: Egress
  clock: Clock
  random: Random
  newId: () => string
  clockSkew: ClockSkew
  processId: string
  userAgent: string
  /** Under which number this process counts its attempts now. */
  processNumber: () => number
  leaseMs: number
  retry: RetryPolicy
  drainPerSecond: number
  inFlightMax: number
  inFlightPerEndpointMax: number
  pace: BulkPace
  /** Passes the time for which claims in bulk make way. */
  rest: (ms: number) => Promise<void>
  /** Whether a process of a release lives that knows of no holds. */
  olderLive: () => boolean
  /** Hears what was written. */
  observe: (settlements: readonly Settlement[]) => void
  onError: (what: string, error: unknown) => void
}

/** Processes that took it and died, from which a delivery is sent alone, and at which it is given up. */
const sentAloneFrom = 3
const givenUpAt = 8

const settleRetryMs = 250
/** After which what has to wait for its time is looked at again: the least that a timer can. */
const lookAgainMs = 1

const passTime = async (ms: number): Promise<void> => await new Promise(resolve => setTimeout(resolve, ms))

/**
 * Sends what is due. Deliveries arrive in two ways: handed over by the accept statement (`take`), or claimed. From
 * there the way is one: queue, attempt, settle. What could not be started within a second of being taken goes back.
 *
 * Nothing is remembered here that the database does not know: a process that dies leaves leases that run out.
 */
export class Dispatcher implements AsyncDisposable {
  readonly #options: DispatcherOptions
  readonly #profiles: ProfileCache
  readonly #attemptOptions: AttemptOptions
  readonly #queue: SendQueue
  readonly #settler: Settler
  readonly #holds = new Holds()
  readonly #giveBack: GiveBack
  readonly #claimer: Claimer
  readonly #suspects: Suspects
  readonly #roomForBulk: RoomForBulk
  readonly #abort = new AbortController()
  #idle: PromiseWithResolvers<void> | undefined
  #stopped: Promise<void> | undefined

  constructor(options: DispatcherOptions) {
    const { db, clock, processId, leaseMs, drainPerSecond, onError } = options
    this.#options = options
    this.#profiles = new ProfileCache(db, options.seal, options.userAgent)
    this.#attemptOptions = { ...options, profiles: this.#profiles, abort: this.#abort.signal }
    this.#queue = new SendQueue({
      clock,
      bulk: options.pace.starts,
      soon: wake => setTimeout(wake, lookAgainMs),
      inFlightMax: options.inFlightMax,
      inFlightPerEndpointMax: options.inFlightPerEndpointMax,
      gathered: () => this.#settler.gathered,
      gatheredOf: accountId => this.#settler.gatheredOf(accountId),
      start: started => this.#start(started),
    })
    this.#settler = new Settler({
      settle: async batch =>
        await settle(db, batch, { emptied: this.#holds.takeEmpty(), inFull: options.olderLive() }),
      unwritten: async batch => await unwritten(db, batch),
      onSettled: batch => this.#settled(batch),
      onError: error => onError('settle', error),
      clock,
      rest: passTime,
      retryDelayMs: settleRetryMs,
    })
    this.#giveBack = new GiveBack(db, processId, this.#holds, error => onError('release', error))
    this.#claimer = new Claimer({
      db,
      clock,
      processId,
      leaseMs,
      drainPerSecond,
      queue: this.#queue,
      giveBack: this.#giveBack,
      pace: options.pace,
      rest: options.rest,
      mayTake: () => this.#mayTake,
      onClaimed: (claimed, failuresInRow) => this.#onClaimed(claimed, failuresInRow),
      onError: error => onError('claim', error),
    })
    this.#roomForBulk = new RoomForBulk({
      rooms: this.#queue.rooms,
      clock,
      hasDue: accountId => this.#claimer.hasDue(accountId),
      mayWait: () => this.#mayTake && !this.#queue.rooms.isPaced,
      rest: passTime,
    })
    this.#suspects = new Suspects({
      clock,
      queue: this.#queue,
      settler: this.#settler,
      profiles: this.#profiles,
      giveBack: this.#giveBack,
      nothingUnderWay: async () => await this.#nothingUnderWay(),
      attempt: async taken => await this.#attempt(taken),
      conclude: (taken, made) => this.#conclude(taken, made),
      onPostponed: () => this.#claimer.mustGiveBack(),
      onSent: () => this.#goOn(),
    })
  }

  /** Begins to claim what is due. */
  start(): void {
    this.#claimer.start()
  }

  /** What the accept statement may hand over now, for a group of requests that each bring a few events or many. */
  rooms(inBulk: boolean): Rooms {
    const rooms = this.#queue.rooms.forHandOff(this.#claimer.othersWait, inBulk)
    return this.#mayTake ? rooms : { ...rooms, total: 0 }
  }

  /** Passes a moment, if that makes room for what is reported in bulk: events of these accounts, one for each. */
  async roomForBulk(accountIds: readonly string[]): Promise<void> {
    await this.#roomForBulk.wait(accountIds)
  }

  /** Attempts under way, deliveries held but not started, results not written yet. */
  get load(): { inFlight: number; queued: number; unsettled: number } {
    return {
      inFlight: this.#queue.inFlight,
      queued: this.#queue.queued,
      unsettled: this.#settler.unsettled,
    }
  }

  /**
   * Takes what the accept statement handed over; what it left is claimed as soon as there is room. It has its place in the
   * queue at once, and is sent when whoever brought it has given the database the next statement to work on.
   */
  take(taken: readonly TakenDelivery[], left: readonly LeftEndpoint[]): void {
    for (const one of taken) this.#queue.add(one, 0)
    queueMicrotask(() => {
      this.#profiles.prepare(taken)
      this.#queue.pump()
    })
    this.#claimer.left(left)
  }

  /** Something became due somewhere. */
  wake(): void {
    this.#claimer.lookAgain()
  }

  /** Stops taking, finishes what is under way (at most 20 s), gives the rest back. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped ??= this.#stop()
    await this.#stopped
  }

  async #stop(): Promise<void> {
    await this.#claimer.stop()
    this.#queue.pause()
    this.#giveBack.add(...this.#queue.takeOut(() => true))
    await this.#giveBack.flush()
    const timer = setTimeout(() => this.#abort.abort(), drainMsMax)
    await this.#nothingUnderWay()
    await this.#suspects.drain()
    clearTimeout(timer)
    await this.#settler.drain()
    await this.#giveBack.flush()
  }

  get #mayTake(): boolean {
    return this.#stopped === undefined && !this.#suspects.areSent && this.#options.clockSkew.tolerable
  }

  #onClaimed(claimed: readonly TakenDelivery[], failuresInRow: (endpointId: string) => number): void {
    this.#roomForBulk.claimed(claimed)
    const suspects: TakenDelivery[] = []
    const queued: TakenDelivery[] = []
    for (const taken of claimed) {
      if (taken.lostClaims >= givenUpAt) {
        this.#settler.add({ taken, verdict: giveUpLost(taken), attempt: null })
      } else if (taken.lostClaims >= sentAloneFrom) {
        suspects.push(taken)
      } else {
        this.#queue.add(taken, failuresInRow(taken.endpointId))
        queued.push(taken)
      }
    }
    this.#profiles.prepare(queued)
    this.#queue.pump()
    if (suspects.length > 0) this.#suspects.send(suspects)
  }

  #start(started: Started): void {
    const endpointWasFailing = started.lane.failuresInRow > 0
    void this.#attempt(started.taken).then(made =>
      this.#ended(started, made === null ? null : { ...made, endpointWasFailing }),
    )
  }

  #ended(started: Started, made: Attempt | null): void {
    const { taken, lane } = started
    if (made === null) {
      this.#queue.abandoned(started)
      this.#giveBack.add(taken)
      this.#claimer.mustGiveBack()
    } else {
      this.#queue.finished(started, made.exchange.outcome, made.exchange.durationMs)
      this.#conclude(taken, made)
      this.#claimer.attemptEnded(lane.endpointId, started.share)
    }
    this.#queue.pump()
    if (this.#queue.inFlight === 0) {
      this.#idle?.resolve()
      this.#idle = undefined
    }
  }

  #attempt(taken: TakenDelivery): Promise<MadeAttempt | null> {
    return this.#options.clockSkew.tolerable ? attempt(taken, this.#attemptOptions) : Promise.resolve(null)
  }

  #conclude(taken: TakenDelivery, made: Attempt): void {
    const { retry, random, clock } = this.#options
    const { outcome, statusCode, error, retryAfter } = made.exchange
    const result = { outcome, statusCode, errorCode: error?.code ?? null, retryAfter }
    const verdict = decideAttempt(taken, result, retry, random.fraction(), clock.nowMs())
    this.#settler.add({ taken, verdict, attempt: made })
  }

  #settled(batch: readonly Settlement[]): void {
    this.#options.observe(batch)
    this.#holds.letGo(batch.map(({ taken }) => taken))
    this.#claimer.settled(batch)
  }

  #goOn(): void {
    if (this.#stopped !== undefined) return
    this.#queue.resume()
    this.#queue.pump()
    this.#claimer.lookAgain()
  }

  async #nothingUnderWay(): Promise<void> {
    if (this.#queue.inFlight === 0) return
    this.#idle ??= Promise.withResolvers<void>()
    await this.#idle.promise
  }
}

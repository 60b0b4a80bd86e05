import type { Clock, Random } from '../context.ts'
import type { Database } from '../db/database.ts'
import type { RetryPolicy } from '../domain/backoff.ts'
import { decideAttempt, giveUpLost } from '../domain/decide-attempt.ts'
import type { Rooms } from '../domain/rooms.ts'
import type { TakenDelivery } from '../domain/taken-delivery.ts'
import type { Egress } from '../egress/egress.ts'
import type { Seal } from '../seal/seal.ts'
import { attempt } from './attempt.ts'
import { claim, type EndpointRoom } from './claim.ts'
import { claimPaced } from './claim-paced.ts'
import type { ClockSkew } from './clock-skew.ts'
import { DueEndpoints } from './due-endpoints.ts'
import { findReady } from './find-ready.ts'
import { Loop } from './loop.ts'
import { ProfileCache } from './profile-cache.ts'
import { release } from './release.ts'
import { SendQueue, type Started } from './send-queue.ts'
import { settle, type Settlement } from './settle.ts'
import { Settler } from './settler.ts'

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
  leaseMs: number
  retry: RetryPolicy
  drainPerSecond: number
  inFlightMax: number
  inFlightPerEndpointMax: number
  observe: (settlement: Settlement) => void
  onError: (what: string, error: unknown) => void
}

type ClaimRoom = EndpointRoom & { paced: boolean }

/** Processes that took it and died, from which a delivery is sent alone, and at which it is given up. */
const sentAloneFrom = 3
const givenUpAt = 8

const pollEveryMs = 5_000
const drainMsMax = 20_000

/**
 * Sends what is due. Deliveries arrive in two ways: handed over by the accept statement (`take`), or claimed by the
 * loop below, endpoint by endpoint. From there the way is one: queue, attempt, settle. What could not be started
 * within a second of being taken goes back.
 *
 * Nothing is remembered here that the database does not know: a process that dies leaves leases that run out.
 */
export class Dispatcher implements AsyncDisposable {
  readonly #options: DispatcherOptions
  readonly #queue: SendQueue
  readonly #settler: Settler
  readonly #profiles: ProfileCache
  readonly #due = new DueEndpoints()
  readonly #claims: Loop
  readonly #abort = new AbortController()
  /** Deliveries that were with too many processes when they died; each is sent while nothing else is. */
  readonly #suspects: TakenDelivery[] = []
  #alone = false
  #givingBack: TakenDelivery[] = []
  #stopped: Promise<void> | undefined

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.#profiles = new ProfileCache(options.db, options.seal)
    this.#queue = new SendQueue({
      inFlightMax: options.inFlightMax,
      inFlightPerEndpointMax: options.inFlightPerEndpointMax,
      start: started => void this.#start(started),
    })
    this.#settler = new Settler({
      settle: async batch => await settle(options.db, batch),
      onSettled: batch => this.#settled(batch),
      onError: error => options.onError('settle', error),
      retryDelayMs: 250,
    })
    this.#claims = new Loop(async () => await this.claimOnce(), {
      pollEveryMs,
      onError: error => options.onError('claim', error),
    })
  }

  /** Begins to claim what is due. */
  start(): void {
    this.#due.mayHaveChanged()
    this.#claims.start()
  }

  /** What the accept statement may hand over now. */
  rooms(): Rooms {
    const idle = this.#stopped !== undefined || !this.#options.clockSkew.tolerable
    const rooms = this.#queue.roomsForHandOff(this.#due.size > 0)
    return idle ? { ...rooms, total: 0 } : rooms
  }

  /** Attempts under way, and deliveries held but not started. */
  get load(): { inFlight: number; queued: number; unsettled: number } {
    return {
      inFlight: this.#queue.inFlight,
      queued: this.#queue.queued,
      unsettled: this.#settler.unsettled,
    }
  }

  /** Takes what the accept statement handed over; what it left is claimed as soon as there is room. */
  take(
    taken: readonly TakenDelivery[],
    left: ReadonlyArray<{ accountId: string; endpointId: string; paced: boolean }>,
  ): void {
    for (const one of taken) this.#queue.add(one, 0)
    this.#queue.pump()
    if (left.length === 0) return
    for (const endpoint of left) this.#due.add(endpoint)
    this.#claims.wake()
  }

  /** Something became due somewhere. */
  wake(): void {
    this.#due.mayHaveChanged()
    this.#claims.wake()
  }

  /** One round of the claim loop: looks for due endpoints if need be, and claims as much as there is room for. */
  async claimOnce(): Promise<{ claimed: number; nextInMs: number | null }> {
    const { db, clock, clockSkew } = this.#options
    this.#queue.forgetIdle()
    await this.#giveBack(this.#queue.takeOut(taken => clock.monotonicMs() > taken.startByMs))
    if (!clockSkew.tolerable || this.#stopped !== undefined || this.#alone)
      return { claimed: 0, nextInMs: null }
    if (this.#due.isStale(clock.monotonicMs())) {
      const readiness = await findReady(db)
      this.#due.found(readiness, clock.monotonicMs(), pollEveryMs)
    }
    const rooms = this.#claimRooms()
    if (rooms.length === 0) return { claimed: 0, nextInMs: this.#due.nextInMs(clock.monotonicMs()) }
    const claimed = await this.#claim(rooms)
    this.#due.claimed(rooms, claimed)
    for (const taken of claimed) this.#accept(taken)
    this.#queue.pump()
    void this.#sendSuspects()
    const more = this.#due.size > 0 && claimed.length > 0
    return { claimed: claimed.length, nextInMs: more ? 0 : this.#due.nextInMs(clock.monotonicMs()) }
  }

  /** Stops taking, finishes what is under way (at most 20 s), gives the rest back. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped ??= this.#stop()
    await this.#stopped
  }

  async #stop(): Promise<void> {
    await this.#claims.stop()
    this.#queue.pause()
    await this.#giveBack([...this.#queue.takeOut(() => true), ...this.#suspects.splice(0)])
    const timer = setTimeout(() => this.#abort.abort(), drainMsMax)
    await this.#underWay()
    clearTimeout(timer)
    await this.#settler.drain()
    await this.#giveBack([])
  }

  async #claim(rooms: readonly ClaimRoom[]): Promise<TakenDelivery[]> {
    const { db, processId, leaseMs, drainPerSecond, clock } = this.#options
    const options = { processId, leaseMs, monotonicMs: () => clock.monotonicMs() }
    const free = rooms.filter(one => !one.paced)
    const paced = rooms.filter(one => one.paced)
    const claimed = free.length === 0 ? [] : await claim(db, free, options)
    if (paced.length === 0) return claimed
    const slow = await claimPaced(db, paced, { ...options, drainPerSecond })
    if (slow.nextInMs !== null) this.#due.dueIn(slow.nextInMs, clock.monotonicMs())
    return [...claimed, ...slow.claimed]
  }

  #claimRooms(): ClaimRoom[] {
    let total = this.#queue.room
    const rooms: ClaimRoom[] = []
    for (const endpoint of this.#due.inTurn()) {
      if (total <= 0) break
      const room = Math.min(total, this.#queue.roomOf(endpoint.endpointId, endpoint.failuresInRow))
      if (room <= 0) continue
      rooms.push({ ...endpoint, room })
      total -= room
    }
    return rooms
  }

  #accept(taken: TakenDelivery): void {
    if (taken.lostClaims >= givenUpAt) {
      this.#settler.add({ taken, verdict: giveUpLost(taken), attempt: null })
    } else if (taken.lostClaims >= sentAloneFrom) {
      this.#suspects.push(taken)
    } else {
      this.#queue.add(taken, this.#due.failuresInRow(taken.endpointId))
    }
  }

  async #start(started: Started): Promise<void> {
    const { taken, lane } = started
    const wasFailing = lane.failuresInRow > 0
    const made = await this.#attempt(taken)
    if (made === null) {
      this.#queue.abandoned(started)
      this.#giveBackSoon(taken)
    } else {
      this.#queue.finished(started, made.exchange.outcome, made.exchange.durationMs)
      this.#conclude(taken, { ...made, endpointWasFailing: wasFailing })
    }
    this.#queue.pump()
    if (this.#due.size > 0) this.#claims.wake()
    if (this.#queue.inFlight === 0) this.#onIdle()
  }

  async #attempt(taken: TakenDelivery): ReturnType<typeof attempt> {
    const { egress, clock, newId, userAgent, onError } = this.#options
    if (!this.#options.clockSkew.tolerable) return null
    try {
      return await attempt(taken, {
        egress,
        profiles: this.#profiles,
        clock,
        newId,
        userAgent,
        abort: this.#abort.signal,
      })
    } catch (error) {
      // only the profile's statement can fail here; without it nothing was sent
      onError('load endpoint', error)
      return null
    }
  }

  #conclude(taken: TakenDelivery, made: NonNullable<Settlement['attempt']>): void {
    const { exchange } = made
    const result = {
      outcome: exchange.outcome,
      statusCode: exchange.statusCode,
      errorCode: exchange.error?.code ?? null,
      retryAfter: exchange.retryAfter,
    }
    const { retry, random, clock } = this.#options
    const verdict = decideAttempt(taken, result, retry, random.fraction(), clock.nowMs())
    this.#settler.add({ taken, verdict, attempt: made })
  }

  #settled(batch: readonly Settlement[]): void {
    for (const settlement of batch) {
      this.#options.observe(settlement)
      if (settlement.verdict.dueInMs !== null) {
        this.#due.dueIn(settlement.verdict.dueInMs, this.#options.clock.monotonicMs())
      }
    }
    this.#claims.timerMayHaveChanged(this.#due.nextInMs(this.#options.clock.monotonicMs()))
  }

  /** Waits until nothing else is under way, then sends each suspect by itself, so that its crash costs only itself. */
  async #sendSuspects(): Promise<void> {
    if (this.#alone || this.#suspects.length === 0) return
    this.#alone = true
    this.#queue.pause()
    try {
      await this.#underWay()
      await this.#settler.drain()
      for (let taken = this.#suspects.shift(); taken !== undefined; taken = this.#suspects.shift()) {
        // the wait was longer than a second: a profile loaded now says anew which version is true
        const startByMs = this.#options.clock.monotonicMs() + 1_000
        this.#profiles.forget(taken)
        const made = await this.#attempt({ ...taken, startByMs })
        if (made === null) this.#giveBackSoon(taken)
        else this.#conclude(taken, { ...made, endpointWasFailing: true })
        await this.#settler.drain()
      }
    } finally {
      this.#alone = false
      this.#queue.resume()
      this.#queue.pump()
      this.#claims.wake()
    }
  }

  #idle: PromiseWithResolvers<void> | undefined

  async #underWay(): Promise<void> {
    if (this.#queue.inFlight === 0) return
    this.#idle ??= Promise.withResolvers<void>()
    await this.#idle.promise
  }

  #onIdle(): void {
    this.#idle?.resolve()
    this.#idle = undefined
  }

  #giveBackSoon(taken: TakenDelivery): void {
    this.#givingBack.push(taken)
    this.#claims.wake()
  }

  async #giveBack(more: readonly TakenDelivery[]): Promise<void> {
    const taken = [...this.#givingBack, ...more]
    this.#givingBack = []
    if (taken.length === 0) return
    try {
      await release(this.#options.db, this.#options.processId, taken)
      this.#due.mayHaveChanged()
    } catch (error) {
      // their leases run out by themselves
      this.#options.onError('release', error)
    }
  }
}

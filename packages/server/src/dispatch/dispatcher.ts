import { Batcher } from '../collections/batcher.ts'
import type { Clock, Random } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { RetryPolicy } from '../domain/backoff.ts'
import { decideAttempt, giveUpLost } from '../domain/decide-attempt.ts'
import { drainMsMax } from '../domain/drain-limits.ts'
import type { HandOffCapacity, LeftEndpoint } from '../domain/hand-off.ts'
import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import type { Egress } from '../egress/egress.ts'
import type { Seal } from '../seal/seal.ts'
import { attempt, type AttemptOptions } from './attempt.ts'
import { Claimer } from './claimer.ts'
import type { ClockSkew } from './clock-skew.ts'
import { handOffCapacity } from './hand-off-capacity.ts'
import { HeldDeliveries } from './held-deliveries.ts'
import type { Lease } from './lease.ts'
import { ProfileCache } from './profile-cache.ts'
import { Scheduler, type Started } from './scheduler.ts'
import { type Attempt, nextSettlements, settle, settleMax, type Settlement, unwritten } from './settle.ts'

export interface DispatcherOptions {
  db: Queryable
  seal: Seal
  egress: Egress
  clock: Clock
  random: Random
  newId: () => string
  clockSkew: ClockSkew
  lease: () => Pick<Lease, 'number' | 'coversAttempt'>
  userAgent: string
  /** Under which number this process counts its attempts now. */
  processNumber: () => number
  retry: RetryPolicy
  drainPerSecond: number
  inFlightMax: number
  inFlightPerEndpointMax: number
  /** Hears what was written. */
  observe: (settlements: readonly Settlement[], dropped: number) => void
  onError: (what: string, error: unknown) => void
}

/** After so many processes that claimed it and died, a delivery is given up. */
const givenUpAt = 8
/** From one settle statement to the next: many results share a commit, and no receiver waits for it. */
const settleEveryMs = 50
const settleRetryMs = 250

const sleep = async (ms: number): Promise<void> => await new Promise(resolve => setTimeout(resolve, ms))

/**
 * Sends what is due. The accept statement hands new deliveries over to `take`; all others are claimed. From there the way is
 * one: schedule, attempt, settle. What could not be started within a second goes back to the queue.
 *
 * Nothing is remembered here that the database does not know: when the process dies, its lease ends.
 */
export class Dispatcher implements AsyncDisposable {
  readonly #options: DispatcherOptions
  readonly #profiles: ProfileCache
  readonly #attemptOptions: AttemptOptions
  readonly #scheduler: Scheduler
  readonly #settler: Batcher<Settlement, { dropped: number }>
  readonly #claimer: Claimer
  readonly #abort = new AbortController()
  readonly #held = new HeldDeliveries()
  #mayBeWritten = false
  #idle: PromiseWithResolvers<void> | undefined
  #stopped: Promise<void> | undefined

  constructor(options: DispatcherOptions) {
    const { db, clock, onError } = options
    this.#options = options
    this.#profiles = new ProfileCache(db, options.seal, options.userAgent)
    this.#attemptOptions = {
      ...options,
      profiles: this.#profiles,
      // one that was claimed under a lease that is lost comes after `leaseLost` if its answer took long
      mayStart: delivery => this.#mayStart && delivery.process === options.lease().number,
      abort: this.#abort.signal,
    }
    this.#scheduler = new Scheduler({
      ...options,
      unsettled: () => this.#settler.size,
      start: started => this.#start(started),
    })
    this.#settler = new Batcher({
      next: nextSettlements,
      flush: async batch => await this.#settle(batch),
      done: (batch, { dropped }) => this.#settled(batch, dropped),
      failed: async (batch, error) => {
        // the answer may be lost, and the results written
        this.#mayBeWritten = true
        onError('settle', error)
        await sleep(settleRetryMs)
        return batch
      },
      pace: {
        everyMs: settleEveryMs,
        fullAt: settleMax,
        monotonicMs: () => clock.monotonicMs(),
        sleep,
      },
    })
    this.#claimer = new Claimer({
      ...options,
      scheduler: this.#scheduler,
      number: () => options.lease().number,
      mayClaim: () => this.#mayTake,
      onClaimed: (claimed, failuresInRow) => this.#onClaimed(claimed, failuresInRow),
      held: this.#held,
      onError: error => onError('claim', error),
    })
  }

  /** Begins to claim what is due. */
  start(): void {
    this.#claimer.start()
  }

  /** What the accept statement may hand over now. @param forSingleEvents whether the report brings only a few */
  capacity(forSingleEvents: boolean): HandOffCapacity {
    const { inFlightPerEndpointMax } = this.#options
    const dueOf = (accountId: string): Iterable<string> => this.#claimer.dueOf(accountId)
    const capacity = handOffCapacity(this.#scheduler, dueOf, inFlightPerEndpointMax, forSingleEvents)
    return this.#mayTake ? capacity : { ...capacity, total: 0 }
  }

  /** Attempts in flight, deliveries held and not started, and results not written yet. */
  get load(): { inFlight: number; unstarted: number; unsettled: number } {
    const { inFlight, unstarted } = this.#scheduler
    return { inFlight, unstarted, unsettled: this.#settler.size }
  }

  /** Takes what the accept statement handed over; what it left is claimed as soon as there is capacity. */
  take(handedOver: readonly LeasedDelivery[], left: readonly LeftEndpoint[]): void {
    this.#held.hold(handedOver)
    for (const delivery of handedOver) this.#scheduler.add(delivery, 0)
    // the next group of reports goes to the database first
    queueMicrotask(() => {
      this.#profiles.prepare(handedOver)
      this.#scheduler.pump()
    })
    this.#claimer.left(left)
  }

  /** An accept statement failed, or its answer was lost: it may have handed over deliveries. */
  answerLost(): void {
    this.#held.doubt(this.#options.clock.monotonicMs())
  }

  /** Something became due somewhere. @param all also look for what was due before, of an endpoint that was disabled */
  wake(all: boolean): void {
    this.#claimer.lookAgain(all)
  }

  /** The lease was lost: nothing that is held and not started is this process's any more. */
  leaseLost(): void {
    this.#held.letGo([...this.#scheduler.takeOut(), ...this.#claimer.takeOut()])
    this.#claimer.lookAgain(true)
  }

  /** Stops taking, finishes what is in flight (at most 20 s), gives the rest back. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped ??= this.#stop()
    await this.#stopped
  }

  async #stop(): Promise<void> {
    await this.#claimer.stop()
    this.#scheduler.pause()
    for (const delivery of this.#scheduler.takeOut()) this.#claimer.giveBack(delivery)
    await this.#claimer.release()
    const timer = setTimeout(() => this.#abort.abort(), drainMsMax)
    await this.#nothingInFlight()
    clearTimeout(timer)
    await this.#settler.drain()
    await this.#claimer.release()
  }

  get #mayTake(): boolean {
    return this.#stopped === undefined && this.#mayStart
  }

  get #mayStart(): boolean {
    return this.#options.clockSkew.tolerable && this.#options.lease().coversAttempt
  }

  #onClaimed(claimed: readonly LeasedDelivery[], failuresInRow: (endpointId: string) => number): void {
    this.#held.hold(claimed)
    const scheduled = claimed.filter(({ lostClaims }) => lostClaims < givenUpAt)
    for (const delivery of claimed) {
      if (delivery.lostClaims < givenUpAt) this.#scheduler.add(delivery, failuresInRow(delivery.endpointId))
      else this.#settler.add({ delivery, verdict: giveUpLost(delivery), attempt: null })
    }
    this.#profiles.prepare(scheduled)
    this.#scheduler.pump()
  }

  #start(started: Started): void {
    const endpointWasFailing = started.endpoint.failuresInRow > 0
    void attempt(started.delivery, this.#attemptOptions).then(made =>
      this.#ended(started, made === null ? null : { ...made, endpointWasFailing }),
    )
  }

  #ended(started: Started, made: Attempt | null): void {
    if (made === null) {
      this.#scheduler.abandoned(started)
      this.#claimer.giveBack(started.delivery)
    } else {
      this.#scheduler.ended(started, made.exchange.outcome, made.exchange.durationMs)
      this.#decide(started.delivery, made)
    }
    this.#scheduler.pump()
    this.#claimer.capacityGrew()
    if (this.#scheduler.inFlight === 0) {
      this.#idle?.resolve()
      this.#idle = undefined
    }
  }

  #decide(delivery: LeasedDelivery, made: Attempt): void {
    const { retry, random, clock } = this.#options
    const { outcome, statusCode, error, retryAfter } = made.exchange
    const result = { outcome, statusCode, errorCode: error?.code ?? null, retryAfter }
    const verdict = decideAttempt(delivery, result, retry, random.fraction(), clock.nowMs())
    this.#settler.add({ delivery, verdict, attempt: made })
  }

  async #settle(batch: readonly Settlement[]): Promise<{ dropped: number }> {
    const { db } = this.#options
    const left = this.#mayBeWritten ? await unwritten(db, batch) : batch
    const settled = left.length > 0 ? await settle(db, left) : { dropped: 0 }
    this.#mayBeWritten = false
    return settled
  }

  #settled(batch: readonly Settlement[], dropped: number): void {
    this.#held.letGo(batch.map(({ delivery }) => delivery))
    this.#options.observe(batch, dropped)
    this.#claimer.settled(batch)
  }

  async #nothingInFlight(): Promise<void> {
    if (this.#scheduler.inFlight > 0) await (this.#idle ??= Promise.withResolvers<void>()).promise
  }
}

import { Batcher } from '../collections/batcher.ts'
import type { Clock, Random } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { decideAttempt, giveUpLost } from '../domain/decide-attempt.ts'
import type { OperatorTimings } from '../domain/endpoint-timings.ts'
import type { HeaderNames } from '../domain/header-names.ts'
import { drainMsMax } from '../domain/drain-limits.ts'
import type { HandOffCapacity, LeftEndpoint } from '../domain/hand-off.ts'
import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import type { Egress } from '../egress/egress.ts'
import type { Seal } from '../seal/seal.ts'
import { attempt, type AttemptOptions } from './attempt.ts'
import type { BeginAttemptSpan } from './attempt-span.ts'
import { handOffCapacity } from './capacity.ts'
import { Claimer } from './claimer.ts'
import { HeldDeliveries } from './held-deliveries.ts'
import type { Lease } from './lease.ts'
import { ProfileCache } from './profile-cache.ts'
import { Scheduler, type Started } from './scheduler.ts'
import { loadProfiles } from './sending-profile.ts'
import { type Attempt, nextSettlements, settle, settleMax, type Settlement, unwritten } from './settle.ts'

export interface DispatcherOptions {
  db: Queryable
  seal: Seal
  egress: Egress
  clock: Clock
  random: Random
  newId: () => string
  /** Whether this process's clock is close enough to the database's. */
  clockSkew: { readonly tolerable: boolean }
  lease: () => Pick<Lease, 'number' | 'coversAttempt'>
  userAgent: string
  headerNames: HeaderNames
  /** The number under which this process counts attempts. */
  processNumber: () => number
  timings: OperatorTimings
  drainPerSecond: number
  inFlightMax: number
  inFlightPerEndpointMax: number
  /** Null if nobody records traces. */
  beginSpan: BeginAttemptSpan | null
  /** Called with what was written. */
  observe: (settlements: readonly Settlement[], dropped: number) => void
  onError: (what: string, error: unknown) => void
}

/** A delivery is given up once this many processes died with it. */
const givenUpAt = 8
/** The time between two settle statements: many results share a commit, and no receiver waits for it. */
const settleEveryMs = 50
const settleRetryMs = 250

const sleep = async (ms: number): Promise<void> => await new Promise(resolve => setTimeout(resolve, ms))

/**
 * Sends what is due. New deliveries come from the accept statement through `handOff`; all others are claimed. Both are then
 * scheduled, attempted and settled. What could not be started within a second goes back to the queue.
 *
 * The database knows everything that is remembered here: if the process dies, its lease ends.
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
    this.#profiles = new ProfileCache(async endpoints => await loadProfiles(db, options, endpoints))
    this.#attemptOptions = {
      ...options,
      profiles: this.#profiles,
      // the answer to a claim under a lost lease may come after `leaseLost`
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
        // perhaps only the answer is lost, and the results are written
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
      retry: options.timings.retry,
      scheduler: this.#scheduler,
      number: () => options.lease().number,
      mayClaim: () => this.#mayClaim,
      onClaimed: (claimed, failuresInRow) => this.#onClaimed(claimed, failuresInRow),
      held: this.#held,
      onError: error => onError('claim', error),
    })
  }

  start(): void {
    this.#claimer.start()
  }

  /** What the accept statement may hand over now. @param isSmall whether the report brings only a few events */
  capacity(isSmall: boolean): HandOffCapacity {
    const { inFlightPerEndpointMax } = this.#options
    const dueOf = (accountId: string): Iterable<string> => this.#claimer.dueOf(accountId)
    const capacity = handOffCapacity(this.#scheduler, dueOf, inFlightPerEndpointMax, isSmall)
    return this.#mayClaim ? capacity : { ...capacity, total: 0 }
  }

  /** Attempts in flight, deliveries not started, and results not written. */
  get load(): { inFlight: number; unstarted: number; unsettled: number } {
    const { inFlight, unstarted } = this.#scheduler
    return { inFlight, unstarted, unsettled: this.#settler.size }
  }

  /** The accept statement handed over some deliveries, and left others in the queue. */
  handOff(handedOver: readonly LeasedDelivery[], left: readonly LeftEndpoint[]): void {
    this.#held.add(handedOver)
    for (const delivery of handedOver) this.#scheduler.add(delivery, 0)
    // the next group of reports is sent to the database first
    queueMicrotask(() => {
      this.#profiles.prepare(handedOver)
      this.#scheduler.pump()
    })
    this.#claimer.left(left)
  }

  /** An accept statement failed, or its answer was lost: it may have handed over deliveries. */
  answerLost(): void {
    this.#held.answerLost(this.#options.clock.monotonicMs())
  }

  /** Something became due. @param all whether some of it may have been due earlier */
  wake(all: boolean): void {
    this.#claimer.requestScan(all)
  }

  /** The lease was lost, and with it all deliveries that are not started. */
  leaseLost(): void {
    this.#held.remove([...this.#scheduler.removeUnstarted(), ...this.#claimer.removeUnstarted()])
    this.#claimer.requestScan(true)
  }

  /** Stops claiming, finishes what is in flight (at most 20 s), and releases what is not started. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped ??= this.#stop()
    await this.#stopped
  }

  async #stop(): Promise<void> {
    await this.#claimer.stop()
    this.#scheduler.pause()
    for (const delivery of this.#scheduler.removeUnstarted()) this.#claimer.addUnstarted(delivery)
    await this.#claimer.release()
    const timer = setTimeout(() => this.#abort.abort(), drainMsMax)
    if (this.#scheduler.inFlight > 0) await (this.#idle ??= Promise.withResolvers<void>()).promise
    clearTimeout(timer)
    await this.#settler.drain()
    await this.#claimer.release()
  }

  get #mayClaim(): boolean {
    return this.#stopped === undefined && this.#mayStart
  }

  get #mayStart(): boolean {
    return this.#options.clockSkew.tolerable && this.#options.lease().coversAttempt
  }

  #onClaimed(claimed: readonly LeasedDelivery[], failuresInRow: (endpointId: string) => number): void {
    this.#held.add(claimed)
    const scheduled = claimed.filter(({ lostClaims }) => lostClaims < givenUpAt)
    for (const delivery of claimed) {
      if (delivery.lostClaims < givenUpAt) this.#scheduler.add(delivery, failuresInRow(delivery.endpointId))
      else this.#settler.add({ delivery, verdict: giveUpLost(delivery), attempt: null })
    }
    this.#profiles.prepare(scheduled)
    this.#scheduler.pump()
  }

  #start(started: Started): void {
    void attempt(started, this.#attemptOptions).then(made => this.#finished(started, made))
  }

  #finished(started: Started, made: Attempt | null): void {
    if (made === null) {
      this.#scheduler.abandoned(started)
      this.#claimer.addUnstarted(started.delivery)
    } else {
      this.#scheduler.finished(started, made.exchange.outcome, made.exchange.durationMs)
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
    const { random, clock } = this.#options
    const { outcome, statusCode, error, retryAfter } = made.exchange
    const result = { outcome, statusCode, errorCode: error?.code ?? null, retryAfter }
    const verdict = decideAttempt(delivery, result, made.retry, random.fraction(), clock.nowMs())
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
    this.#held.remove(batch.map(({ delivery }) => delivery))
    this.#options.observe(batch, dropped)
    this.#claimer.settled(batch)
  }
}

import type { Clock } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { RetryPolicy } from '../domain/backoff.ts'
import type { LeftEndpoint } from '../domain/hand-off.ts'
import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import { askedEndpoints } from './asked-endpoints.ts'
import { type AskedEndpoint, claim } from './claim.ts'
import { DueEndpoints } from './due-endpoints.ts'
import { type DueEndpoint, findDue, firstEndpoint } from './find-due.ts'
import type { HeldDeliveries } from './held-deliveries.ts'
import { Loop } from './loop.ts'
import { recover } from './recover.ts'
import { release } from './release.ts'
import type { Scheduler } from './scheduler.ts'
import type { Settlement } from './settle.ts'

export interface ClaimerOptions {
  db: Queryable
  clock: Pick<Clock, 'monotonicMs'>
  /** The number under which this process holds what it claims now. */
  number: () => number
  drainPerSecond: number
  retry: RetryPolicy
  scheduler: Scheduler
  held: HeldDeliveries
  /** False while nothing may be claimed: the clocks differ too much, or the lease is about to end. */
  mayClaim: () => boolean
  onClaimed: (claimed: readonly LeasedDelivery[], failuresInRow: (endpointId: string) => number) => void
  onError: (error: unknown) => void
}

/** The safety net behind notifications and timers. */
const pollEveryMs = 5_000
/** How often ended leases are looked for. */
const recoverEveryMs = 1_000
/** From one claim to the next: each is a commit, and what becomes due meanwhile shares it. */
const claimEveryMs = 20
/** After a claim of at least this many the next one follows at once: it does not need to share its commit. */
const followAtOnceFrom = 100
/** From one look at the queue to the next, and how much of the time it may take with thousands of endpoints. */
const lookEveryMs = 20
const lookShare = 0.1
/** One that is not started by then goes back; looked for this often. */
const releaseEveryMs = 250

/** Claims due deliveries that nobody holds, as many as the scheduler has capacity for. */
export class Claimer {
  readonly #options: ClaimerOptions
  readonly #due = new DueEndpoints()
  readonly #loop: Loop
  /** To give back: claimed and not started. */
  #unstarted: LeasedDelivery[] = []
  /** Endpoints that were reported to have something due since the claim in flight began, which may not have seen it. */
  readonly #addedSince = new Set<string>()
  #lookedUpTo = firstEndpoint
  /** Of the look under way: before which moment it passes over what is due, and to which moment it is complete. */
  #lookFromMs = 0
  #lookToMs = 0
  #isStale = true
  /** The next look must be a full one. */
  #mustLookAtAll = true
  #mayLookAtMs = Number.NEGATIVE_INFINITY
  #mustLookAtMs = Number.NEGATIVE_INFINITY
  #mayClaimAtMs = Number.NEGATIVE_INFINITY
  #mayRecoverAtMs = Number.NEGATIVE_INFINITY
  #mayReleaseAtMs = Number.NEGATIVE_INFINITY

  constructor(options: ClaimerOptions) {
    this.#options = options
    this.#loop = new Loop(async () => await this.#round(), { pollEveryMs, onError: options.onError })
  }

  start(): void {
    this.#loop.start()
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
  }

  /** Something became due somewhere: the queue must be asked. @param all also for what was due before */
  lookAgain(all: boolean): void {
    this.#mustLookAtAll ||= all
    this.#isStale = true
    this.#loop.wake()
  }

  /** Endpoints of an account with something due: what is new waits behind it. */
  dueOf(accountId: string): Iterable<string> {
    return this.#due.ofAccount(accountId)
  }

  /** These endpoints have something due that was not handed over. */
  left(endpoints: readonly LeftEndpoint[]): void {
    if (endpoints.length === 0) return
    for (const { accountId, endpointId, limited } of endpoints) this.#add({ accountId, endpointId, limited })
    this.#loop.wake()
  }

  /** This delivery was claimed or handed over and will not be started. */
  giveBack(delivery: LeasedDelivery): void {
    this.#unstarted.push(delivery)
    this.#loop.wake()
  }

  /** Takes out what was to be given back: it is not this process's any more. */
  takeOut(): LeasedDelivery[] {
    const given = this.#unstarted
    this.#unstarted = []
    return given
  }

  /** An attempt ended: there is capacity again. */
  capacityGrew(): void {
    if (this.#due.size > 0) this.#loop.wake()
  }

  /** Results are written: what is tried again will be due. */
  settled(batch: readonly Settlement[]): void {
    const { clock, scheduler } = this.#options
    const nowMs = clock.monotonicMs()
    for (const { delivery, verdict } of batch) {
      if (verdict.dueInMs === null) continue
      const { accountId, endpointId, endpointLimited: limited } = delivery
      const failuresInRow = scheduler.failuresInRow(endpointId)
      this.#due.addRetryAt(nowMs + verdict.dueInMs, { accountId, endpointId, failuresInRow, limited })
    }
    this.#loop.timerMayHaveChanged(Math.max(0, this.#due.nextAtMs - nowMs))
    this.capacityGrew()
  }

  /** Gives back what was not started. */
  async release(): Promise<void> {
    const { db, onError } = this.#options
    const given = this.takeOut()
    if (given.length === 0) return
    try {
      await release(db, given)
    } catch (error) {
      this.#unstarted.push(...given)
      onError(error)
      return
    }
    this.#options.held.letGo(given)
    for (const { accountId, endpointId, endpointLimited: limited } of given)
      this.#add({ accountId, endpointId, limited })
  }

  async #round(): Promise<{ nextInMs: number | null }> {
    const { db, clock, number, scheduler, held, mayClaim } = this.#options
    const nowMs = clock.monotonicMs()
    if (nowMs >= this.#mayReleaseAtMs) {
      this.#mayReleaseAtMs = nowMs + releaseEveryMs
      this.#unstarted.push(...scheduler.takeOut(delivery => nowMs > delivery.startByMs))
      scheduler.forgetIdle()
    }
    await this.release()
    await this.#recover()
    if (await held.freeUnknown(db, nowMs, number())) this.#isStale = true
    if (!mayClaim()) return { nextInMs: recoverEveryMs }
    if (nowMs < this.#mayClaimAtMs) return { nextInMs: this.#mayClaimAtMs - nowMs }
    this.#mayClaimAtMs = nowMs + claimEveryMs
    await this.#look()
    this.#due.addUpcoming(clock.monotonicMs())
    const asked = askedEndpoints(this.#due, scheduler)
    if (asked.length > 0) await this.#claim(asked)
    return { nextInMs: this.#nextInMs(asked.length > 0) }
  }

  #nextInMs(hasClaimed: boolean): number {
    const nowMs = this.#options.clock.monotonicMs()
    const claimInMs = hasClaimed && this.#due.size > 0 ? this.#mayClaimAtMs - nowMs : Number.POSITIVE_INFINITY
    const dueInMs = this.#due.nextAtMs - nowMs
    const lookInMs = this.#lookAtMs - nowMs
    return Math.max(0, Math.min(recoverEveryMs, claimInMs, dueInMs, lookInMs))
  }

  get #lookAtMs(): number {
    const mustLook = this.#isStale || this.#lookedUpTo !== firstEndpoint
    return mustLook ? this.#mayLookAtMs : Math.max(this.#mayLookAtMs, this.#mustLookAtMs)
  }

  async #claim(asked: readonly AskedEndpoint[]): Promise<void> {
    const { db, clock, number, drainPerSecond, held, onClaimed } = this.#options
    this.#addedSince.clear()
    const monotonicMs = (): number => clock.monotonicMs()
    const options = { number: number(), monotonicMs, drainPerSecond }
    const { claimed, again } = await claim(db, asked, options).catch(error => {
      held.doubt(clock.monotonicMs())
      throw error
    })
    const endpoints = new Map(asked.map(endpoint => [endpoint.endpointId, endpoint]))
    const counts = new Map<string, number>()
    for (const { endpointId } of claimed) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1)
    for (const { endpointId, capacity } of asked) {
      const gaveLess = (counts.get(endpointId) ?? 0) < capacity
      if (gaveLess && !this.#addedSince.has(endpointId)) this.#due.remove(endpointId)
      else this.#due.toEnd(endpointId)
    }
    const nowMs = clock.monotonicMs()
    for (const { endpointId, inMs } of again) {
      const endpoint = endpoints.get(endpointId)
      if (endpoint !== undefined) this.#due.addAt(nowMs + inMs, endpoint)
    }
    if (claimed.length >= followAtOnceFrom) this.#mayClaimAtMs = nowMs
    onClaimed(claimed, endpointId => endpoints.get(endpointId)?.failuresInRow ?? 0)
  }

  async #look(): Promise<void> {
    const { db, clock } = this.#options
    const fromMs = clock.monotonicMs()
    if (fromMs < this.#lookAtMs) return
    const begins = this.#lookedUpTo === firstEndpoint
    if (begins) {
      const isFull = this.#mustLookAtAll || fromMs >= this.#mustLookAtMs
      this.#isStale = this.#mustLookAtAll = false
      this.#lookFromMs = isFull ? 0 : this.#due.completeToMs
    }
    const { found, last, completeToMs } = await findDue(db, this.#lookedUpTo, this.#lookFromMs)
    if (begins) this.#lookToMs = completeToMs
    for (const endpoint of found) {
      this.#addedSince.add(endpoint.endpointId)
      if (this.#lookFromMs === 0) this.#due.found(endpoint)
      else this.#due.add({ ...endpoint, dueFromMs: this.#lookFromMs })
    }
    const nowMs = clock.monotonicMs()
    this.#lookedUpTo = last ?? firstEndpoint
    this.#mayLookAtMs = fromMs + (nowMs - fromMs) / lookShare
    if (last !== null) return
    this.#due.completeToMs = this.#lookToMs
    this.#mayLookAtMs = Math.max(this.#mayLookAtMs, nowMs + lookEveryMs)
    if (this.#lookFromMs === 0) this.#mustLookAtMs = nowMs + pollEveryMs
  }

  async #recover(): Promise<void> {
    const { db, clock, retry, onError } = this.#options
    const nowMs = clock.monotonicMs()
    if (nowMs < this.#mayRecoverAtMs) return
    this.#mayRecoverAtMs = nowMs + recoverEveryMs
    try {
      const { recovered } = await recover(db, { expired: true, retry })
      if (recovered > 0) this.#isStale = true
    } catch (error) {
      onError(error)
    }
  }

  #add(endpoint: Omit<DueEndpoint, 'failuresInRow'> & { failuresInRow?: number }): void {
    const failuresInRow = endpoint.failuresInRow ?? this.#options.scheduler.failuresInRow(endpoint.endpointId)
    this.#due.add({ ...endpoint, failuresInRow })
    this.#addedSince.add(endpoint.endpointId)
  }
}

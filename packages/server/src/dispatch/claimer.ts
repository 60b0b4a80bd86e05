import type { Clock } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { RetryPolicy } from '../domain/backoff.ts'
import type { LeftEndpoint } from '../domain/hand-off.ts'
import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import { askedEndpoints } from './asked-endpoints.ts'
import { type AskedEndpoint, claim } from './claim.ts'
import { DueEndpoints } from './due-endpoints.ts'
import type { DueEndpoint } from './find-due.ts'
import type { HeldDeliveries } from './held-deliveries.ts'
import { Loop } from './loop.ts'
import { QueueLooks } from './queue-looks.ts'
import { recover } from './recover.ts'
import { release } from './release.ts'
import type { Scheduler } from './scheduler.ts'
import type { Settlement } from './settle.ts'

export interface ClaimerOptions {
  db: Queryable
  clock: Pick<Clock, 'monotonicMs'>
  /** The process number that this process claims with. */
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

/** The longest time between two rounds, in case nothing wakes the loop. */
const pollEveryMs = 5_000
/** How often to look for expired leases. */
const recoverEveryMs = 1_000
/** The least time between two claims, so that what becomes due in between shares one commit. */
const claimEveryMs = 20
/** After a claim of this many deliveries the next one follows at once. */
const followAtOnceFrom = 100
/** How often to look for deliveries that can no longer start in time. */
const releaseEveryMs = 250

/** Claims due deliveries, as many as the scheduler has capacity for, and gives back what is not started. */
export class Claimer {
  readonly #options: ClaimerOptions
  readonly #due = new DueEndpoints()
  readonly #looks: QueueLooks
  readonly #loop: Loop
  /** Claimed, not started, and to be given back. */
  #unstarted: LeasedDelivery[] = []
  /** Endpoints that were added since the claim in flight began: it may not have seen what they have due. */
  readonly #addedSince = new Set<string>()
  #mayClaimAtMs = Number.NEGATIVE_INFINITY
  #mayRecoverAtMs = Number.NEGATIVE_INFINITY
  #mayReleaseAtMs = Number.NEGATIVE_INFINITY

  constructor(options: ClaimerOptions) {
    this.#options = options
    this.#looks = new QueueLooks(options.db, options.clock, this.#due)
    this.#loop = new Loop(async () => await this.#round(), { pollEveryMs, onError: options.onError })
  }

  start(): void {
    this.#loop.start()
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
  }

  /** Something became due somewhere. @param full whether some of it may have been due earlier */
  lookAgain(full: boolean): void {
    this.#looks.request(full)
    this.#loop.wake()
  }

  /** An account's endpoints that have something due. New deliveries wait behind it. */
  dueOf(accountId: string): Iterable<string> {
    return this.#due.ofAccount(accountId)
  }

  /** An accept statement left deliveries of these endpoints in the queue. */
  left(endpoints: readonly LeftEndpoint[]): void {
    if (endpoints.length === 0) return
    for (const { accountId, endpointId, limited } of endpoints) this.#add({ accountId, endpointId, limited })
    this.#loop.wake()
  }

  /** This process holds the delivery and will not start it. */
  giveBack(delivery: LeasedDelivery): void {
    this.#unstarted.push(delivery)
    this.#loop.wake()
  }

  /** Removes and returns what was to be given back, when this process no longer holds it. */
  takeOut(): LeasedDelivery[] {
    const given = this.#unstarted
    this.#unstarted = []
    return given
  }

  /** An attempt ended. */
  capacityGrew(): void {
    if (this.#due.size > 0) this.#loop.wake()
  }

  /** Results are written; some deliveries will be retried. */
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
    if (await held.freeUnknown(db, nowMs, number())) this.#looks.request(false)
    if (!mayClaim()) return { nextInMs: recoverEveryMs }
    if (nowMs < this.#mayClaimAtMs) return { nextInMs: this.#mayClaimAtMs - nowMs }
    this.#mayClaimAtMs = nowMs + claimEveryMs
    await this.#looks.look()
    this.#due.addUpcoming(clock.monotonicMs())
    const asked = askedEndpoints(this.#due, scheduler)
    if (asked.length > 0) await this.#claim(asked)
    return { nextInMs: this.#nextInMs(asked.length > 0) }
  }

  #nextInMs(hasClaimed: boolean): number {
    const nowMs = this.#options.clock.monotonicMs()
    const claimInMs = hasClaimed && this.#due.size > 0 ? this.#mayClaimAtMs - nowMs : Number.POSITIVE_INFINITY
    const dueInMs = this.#due.nextAtMs - nowMs
    const lookInMs = this.#looks.nextAtMs - nowMs
    return Math.max(0, Math.min(recoverEveryMs, claimInMs, dueInMs, lookInMs))
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

  async #recover(): Promise<void> {
    const { db, clock, retry, onError } = this.#options
    const nowMs = clock.monotonicMs()
    if (nowMs < this.#mayRecoverAtMs) return
    this.#mayRecoverAtMs = nowMs + recoverEveryMs
    try {
      const { recovered } = await recover(db, { expired: true, retry })
      if (recovered > 0) this.#looks.request(false)
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

import type { Clock } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { RetryPolicy } from '../domain/backoff.ts'
import { countEach } from '../domain/count-each.ts'
import type { LeftEndpoint } from '../domain/hand-off.ts'
import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import { claimRequests } from './capacity.ts'
import { claim, type ClaimRequest } from './claim.ts'
import { DueEndpoints } from './due-endpoints.ts'
import { DueScan } from './due-scan.ts'
import type { DueEndpoint } from './find-due.ts'
import type { HeldDeliveries } from './held-deliveries.ts'
import { Loop } from './loop.ts'
import { recover } from './recover.ts'
import { release } from './release.ts'
import type { Scheduler } from './scheduler.ts'
import type { Settlement } from './settle.ts'

export interface ClaimerOptions {
  db: Queryable
  clock: Pick<Clock, 'monotonicMs'>
  /** The number of this process. */
  number: () => number
  drainPerSecond: number
  retry: RetryPolicy
  scheduler: Scheduler
  held: HeldDeliveries
  /** False while the clocks differ too much or the lease is about to end. */
  mayClaim: () => boolean
  onClaimed: (claimed: readonly LeasedDelivery[], failuresInRow: (endpointId: string) => number) => void
  onError: (error: unknown) => void
}

const pollEveryMs = 5_000
/** How often to look for expired leases. */
const recoverEveryMs = 1_000
/** The least time between two claims, so that what becomes due in between shares one commit. */
const claimEveryMs = 20
/** A claim of this many deliveries is followed by another at once. */
const followAtOnceFrom = 100
/** How often to release deliveries that can no longer start in time. */
const releaseEveryMs = 250

/** Claims due deliveries, as many as the scheduler has capacity for, and releases what is not started in time. */
export class Claimer {
  readonly #options: ClaimerOptions
  readonly #due = new DueEndpoints()
  readonly #scan: DueScan
  readonly #loop: Loop
  /** Held and not to be started: `release` puts them back into the queue. */
  #unstarted: LeasedDelivery[] = []
  /** Endpoints added since the current claim was sent, which may not have seen their new deliveries. */
  readonly #addedSince = new Set<string>()
  #mayClaimAtMs = Number.NEGATIVE_INFINITY
  #mayRecoverAtMs = Number.NEGATIVE_INFINITY
  #mayReleaseAtMs = Number.NEGATIVE_INFINITY

  constructor(options: ClaimerOptions) {
    this.#options = options
    this.#scan = new DueScan(options.db, options.clock, this.#due)
    this.#loop = new Loop(async () => await this.#round(), { pollEveryMs, onError: options.onError })
  }

  start(): void {
    this.#loop.start()
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
  }

  /** Something became due. @param full whether some of it may have been due earlier */
  requestScan(full: boolean): void {
    this.#scan.request(full)
    this.#loop.wake()
  }

  /** The endpoints of an account that have something due: new deliveries wait behind it. */
  dueOf(accountId: string): Iterable<string> {
    return this.#due.ofAccount(accountId)
  }

  /** An accept statement left deliveries of these endpoints in the queue. */
  left(endpoints: readonly LeftEndpoint[]): void {
    if (endpoints.length === 0) return
    for (const { accountId, endpointId, limited } of endpoints) {
      const failuresInRow = this.#options.scheduler.failuresInRow(endpointId)
      this.#add({ accountId, endpointId, limited, failuresInRow })
    }
    this.#loop.wake()
  }

  /** This process holds the delivery and will not start it. */
  addUnstarted(delivery: LeasedDelivery): void {
    this.#unstarted.push(delivery)
    this.#loop.wake()
  }

  /** Removes and returns what is not released yet. */
  removeUnstarted(): LeasedDelivery[] {
    const removed = this.#unstarted
    this.#unstarted = []
    return removed
  }

  capacityGrew(): void {
    if (!this.#due.isEmpty) this.#loop.wake()
  }

  settled(batch: readonly Settlement[]): void {
    const nowMs = this.#options.clock.monotonicMs()
    for (const { delivery, verdict } of batch) {
      if (verdict.dueInMs !== null) this.#due.addRetryAt(nowMs + verdict.dueInMs, this.#endpointOf(delivery))
    }
    this.#loop.wakeWithin(Math.max(0, this.#due.nextAtMs - nowMs))
    this.capacityGrew()
  }

  /** Releases deliveries that this process does not start. */
  async release(): Promise<void> {
    const { db, held, onError } = this.#options
    const unstarted = this.removeUnstarted()
    if (unstarted.length === 0) return
    try {
      await release(db, unstarted)
    } catch (error) {
      this.#unstarted.push(...unstarted)
      onError(error)
      return
    }
    held.remove(unstarted)
    for (const delivery of unstarted) this.#add(this.#endpointOf(delivery))
  }

  async #round(): Promise<{ nextInMs: number | null }> {
    const { db, clock, number, scheduler, held, mayClaim } = this.#options
    const nowMs = clock.monotonicMs()
    if (nowMs >= this.#mayReleaseAtMs) {
      this.#mayReleaseAtMs = nowMs + releaseEveryMs
      this.#unstarted.push(...scheduler.removeUnstarted(delivery => nowMs > delivery.startByMs))
      scheduler.forgetIdle()
    }
    await this.release()
    await this.#recover()
    if (await held.releaseUnknown(db, () => clock.monotonicMs(), number())) this.#scan.request(false)
    if (!mayClaim()) return { nextInMs: recoverEveryMs }
    if (nowMs < this.#mayClaimAtMs) return { nextInMs: this.#mayClaimAtMs - nowMs }
    this.#mayClaimAtMs = nowMs + claimEveryMs
    await this.#scan.step()
    this.#due.addUpcoming(clock.monotonicMs())
    const requests = claimRequests(this.#due, scheduler)
    if (requests.length > 0) await this.#claim(requests)
    return { nextInMs: this.#nextInMs(requests.length > 0) }
  }

  #nextInMs(hasClaimed: boolean): number {
    const nowMs = this.#options.clock.monotonicMs()
    const claimInMs = hasClaimed && !this.#due.isEmpty ? this.#mayClaimAtMs - nowMs : Number.POSITIVE_INFINITY
    const dueInMs = this.#due.nextAtMs - nowMs
    const scanInMs = this.#scan.nextAtMs - nowMs
    return Math.max(0, Math.min(recoverEveryMs, claimInMs, dueInMs, scanInMs))
  }

  async #claim(requests: readonly ClaimRequest[]): Promise<void> {
    const { db, clock, number, drainPerSecond, held, onClaimed } = this.#options
    this.#addedSince.clear()
    const options = { number: number(), monotonicMs: () => clock.monotonicMs(), drainPerSecond }
    const { claimed, again } = await claim(db, requests, options).catch(error => {
      held.answerLost(clock.monotonicMs())
      throw error
    })
    const endpoints = new Map(requests.map(endpoint => [endpoint.endpointId, endpoint]))
    const counts = countEach(claimed.map(({ endpointId }) => endpointId))
    for (const request of requests) {
      const gaveLess = (counts.get(request.endpointId) ?? 0) < request.capacity
      if (gaveLess && !this.#addedSince.has(request.endpointId)) this.#due.remove(request)
      else this.#due.toEnd(request)
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
      if (recovered > 0) this.#scan.request(false)
    } catch (error) {
      onError(error)
    }
  }

  #add(endpoint: DueEndpoint): void {
    this.#due.add(endpoint)
    this.#addedSince.add(endpoint.endpointId)
  }

  #endpointOf({ accountId, endpointId, endpointLimited: limited }: LeasedDelivery): DueEndpoint {
    const failuresInRow = this.#options.scheduler.failuresInRow(endpointId)
    return { accountId, endpointId, limited, failuresInRow }
  }
}

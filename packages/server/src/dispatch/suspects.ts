import type { Clock } from '../context.ts'
import { startWithinMs, type TakenDelivery } from '../domain/taken-delivery.ts'
import type { MadeAttempt } from './attempt.ts'
import type { GiveBack } from './give-back.ts'
import type { ProfileCache } from './profile-cache.ts'
import type { SendQueue } from './send-queue.ts'
import type { Attempt } from './settle.ts'
import type { Settler } from './settler.ts'

/** Everything else waits while suspects are sent; when that took longer than this, others go first for as long. */
const turnMsMax = 500

export interface SuspectsOptions {
  clock: Clock
  queue: SendQueue
  settler: Settler
  profiles: ProfileCache
  giveBack: GiveBack
  /** Resolves when no attempt is under way. */
  nothingUnderWay: () => Promise<void>
  /** Null when nothing was sent. */
  attempt: (taken: TakenDelivery) => Promise<MadeAttempt | null>
  conclude: (taken: TakenDelivery, made: Attempt) => void
  /** Some of them come later: there is something to give back. */
  onPostponed: () => void
  /** Others may be taken again. */
  onSent: () => void
}

/**
 * Sends deliveries whose processes died too often, while nothing else is sent: one after the other, each written down
 * before the next begins, so that a crash costs only the one that caused it.
 */
export class Suspects {
  readonly #options: SuspectsOptions
  #areSent = false
  #sending: Promise<void> | undefined
  /** Until then it is the others' turn. */
  #nextTurnAtMs = 0

  constructor(options: SuspectsOptions) {
    this.#options = options
  }

  /** Nothing else may be taken now. */
  get areSent(): boolean {
    return this.#areSent
  }

  /** Sends them as soon as nothing else is under way, or puts them off while it is not their turn. */
  send(suspects: readonly TakenDelivery[]): void {
    const { clock, giveBack, onPostponed } = this.#options
    const waitMs = this.#nextTurnAtMs - clock.monotonicMs()
    if (this.#areSent || waitMs > 0) {
      for (const taken of suspects) giveBack.postpone(taken, Math.max(turnMsMax, waitMs))
      onPostponed()
    } else {
      this.#areSent = true
      this.#sending = this.#send(suspects)
    }
  }

  /** Resolves when none is sent any more. */
  async drain(): Promise<void> {
    await this.#sending
  }

  async #send(suspects: readonly TakenDelivery[]): Promise<void> {
    const { clock, queue, settler, profiles, giveBack } = this.#options
    const fromMs = clock.monotonicMs()
    queue.pause()
    await this.#options.nothingUnderWay()
    await settler.drain()
    // the wait may have been longer than a second; profiles loaded from now on say anew which version is true
    const startByMs = clock.monotonicMs() + startWithinMs
    for (const taken of suspects) profiles.forget(taken)
    for (const taken of suspects) {
      if (clock.monotonicMs() > startByMs) giveBack.postpone(taken, turnMsMax)
      else await this.#sendOne({ ...taken, startByMs })
    }
    this.#areSent = false
    const tookMs = clock.monotonicMs() - fromMs
    if (tookMs > turnMsMax) this.#nextTurnAtMs = clock.monotonicMs() + tookMs
    this.#options.onSent()
  }

  async #sendOne(taken: TakenDelivery): Promise<void> {
    const made = await this.#options.attempt(taken)
    if (made === null) this.#options.giveBack.add(taken)
    else this.#options.conclude(taken, { ...made, endpointWasFailing: true })
    await this.#options.settler.drain()
  }
}

import type { Clock, Random } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { Loop } from '../dispatch/loop.ts'
import {
  decideHandover,
  handoverMsMax,
  type HandoverRules,
  isAboutTheEmail,
  refusesToRelay,
  type Submission,
} from '../domain/decide-handover.ts'
import { drainMsMax } from '../domain/drain-limits.ts'
import { AppError } from '../errors.ts'
import { type ClaimedHandover, claimHandovers, nextHandoverInMs } from './claim.ts'
import { outcomeOf } from './outcome-of.ts'
import { releaseHandovers, renewLeases } from './leases.ts'
import type { Prepared } from './prepare.ts'
import { replyRecord } from './reply-record.ts'
import { type HandoverResult, settleHandover, type StoreOutcome } from './settle.ts'
import type { Submitter } from './submit.ts'

export interface HandoverOptions {
  db: Queryable
  clock: Clock
  random: Random
  processId: string
  leaseMs: number
  /** The most emails offered at once. */
  inFlightMax: number
  rules: HandoverRules
  submitter: Submitter
  prepare: (handover: ClaimedHandover) => Promise<Prepared>
  /** The time according to the maintenance gate, in milliseconds since the epoch; null while nothing may expire. */
  passGate: () => Promise<number | null>
  store: StoreOutcome
  observe: (result: HandoverResult['kind'] | 'lost', durationMs: number) => void
  onError: (what: string, error: unknown) => void
  onUnreachable: (submission: Submission) => void
  /** The server takes an email that it did not take before. */
  onReachable: () => void
}

const pollEveryMs = 5_000
/** The pause between tries while the mail server accepts nothing at all. */
const pauseMsMin = 1_000
const pauseMsMax = 30_000
const settleRetryMs = 250

/**
 * Offers waiting emails to the mail server, one SMTP transaction per recipient. The database knows everything that is remembered
 * here: if the process dies, its leases expire, and what the mail server had accepted is offered again with the same Message-ID.
 */
export class Handover implements AsyncDisposable {
  readonly #options: HandoverOptions
  readonly #loop: Loop
  readonly #held = new Map<ClaimedHandover, Promise<void>>()
  #heartbeat: NodeJS.Timeout | undefined
  #pauseMs = pauseMsMin
  #pausedUntilMs = 0
  #deniedInARow = 0
  #wasUnreachable = false
  #stopped: Promise<void> | undefined
  #mayWrite = true

  constructor(options: HandoverOptions) {
    this.#options = options
    this.#loop = new Loop(async () => await this.#round(), {
      pollEveryMs,
      onError: error => options.onError('claim', error),
    })
  }

  start(): void {
    this.#heartbeat = setInterval(() => void this.#renew(), this.#options.leaseMs / 3)
    this.#heartbeat.unref()
    this.#loop.start()
  }

  /** Something became due. */
  wake(): void {
    this.#loop.wake()
  }

  /** Emails that are being offered. */
  get inFlight(): number {
    return this.#held.size
  }

  /** When the mail server's certificate expires; null until a connection of this process used TLS. */
  get certificateExpiresAtMs(): number | null {
    return this.#options.submitter.certificateExpiresAtMs
  }

  /** Stops claiming and finishes what is in flight (at most 20 s); what remains is free once its lease expires. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped ??= this.#stop()
    await this.#stopped
  }

  async #stop(): Promise<void> {
    await this.#loop.stop()
    let timer: NodeJS.Timeout | undefined
    const tooLong = new Promise<void>(resolve => {
      timer = setTimeout(resolve, drainMsMax)
    })
    await Promise.race([Promise.all(this.#held.values()), tooLong])
    clearTimeout(timer)
    clearInterval(this.#heartbeat)
    this.#mayWrite = false
    this.#options.submitter.close()
  }

  async #round(): Promise<{ nextInMs: number | null }> {
    const { db, clock, processId, leaseMs, inFlightMax } = this.#options
    const pausedMs = this.#pausedUntilMs - clock.monotonicMs()
    if (pausedMs > 0) return { nextInMs: pausedMs }
    const capacity = inFlightMax - this.#held.size
    // each hand-over wakes the loop when it finishes
    if (capacity <= 0) return { nextInMs: null }
    const claimed = await claimHandovers(db, { processId, leaseMs, capacity })
    for (const handover of claimed) {
      const work = this.#work(handover).finally(() => {
        this.#held.delete(handover)
        this.wake()
      })
      this.#held.set(handover, work)
    }
    if (claimed.length === capacity) return { nextInMs: null }
    const nextInMs = await nextHandoverInMs(db)
    // another process is claiming what is due and was not claimed here
    return { nextInMs: nextInMs === null ? null : Math.max(nextInMs, 50) }
  }

  async #work(handover: ClaimedHandover): Promise<void> {
    const { clock, onError, observe } = this.#options
    const fromMs = clock.monotonicMs()
    let result: HandoverResult
    try {
      result = await this.#offer(handover)
    } catch (error) {
      onError('offer', error)
      // `offer` fails only before the email was offered, so it can be released
      await releaseHandovers(this.#options.db, [handover]).catch(() => {})
      this.#pause()
      return
    }
    const isOurs = await this.#settle(handover, result)
    observe(isOurs ? result.kind : 'lost', clock.monotonicMs() - fromMs)
  }

  async #offer(handover: ClaimedHandover): Promise<HandoverResult> {
    const { prepare, submitter, clock, random, rules } = this.#options
    if (handover.isDecided) return { kind: 'done' }
    const prepared = await prepare(handover)
    const nowMs = clock.nowMs()
    if (prepared.kind !== 'message') {
      return { kind: 'outcome', outcome: outcomeOf(handover, prepared, nowMs) }
    }
    const ageMs = await this.#ageMs(handover)
    const submission = await submitter.submit(prepared.message)
    this.#noteReachable(submission, handover)
    const tries = handover.tries + 1
    const verdict = decideHandover(submission, { tries, ageMs, fraction: random.fraction() }, rules)
    switch (verdict.kind) {
      case 'outcome':
        return { kind: 'outcome', outcome: outcomeOf(handover, { ...verdict, submission }, clock.nowMs()) }
      case 'handed_over':
        return { kind: 'handed_over', reply: replyRecord(submission) }
      case 'again':
        return {
          kind: 'again',
          inMs: verdict.inMs,
          reply: replyRecord(submission),
          deferral:
            isAboutTheEmail(submission) && submission.code < 500
              ? outcomeOf(handover, { kind: 'deferred', submission }, clock.nowMs())
              : null,
        }
    }
  }

  /** An email is too old only if the maintenance gate agrees. */
  async #ageMs({ acceptedAtMs }: ClaimedHandover): Promise<number> {
    const { clock, passGate } = this.#options
    const ageMs = clock.nowMs() - acceptedAtMs
    if (ageMs < handoverMsMax) return ageMs
    const nowMs = await passGate()
    return nowMs === null ? 0 : nowMs - acceptedAtMs
  }

  /** Keeps the result until it is written, because otherwise the email would be offered again. */
  async #settle(handover: ClaimedHandover, result: HandoverResult): Promise<boolean> {
    const { db, store, onError } = this.#options
    for (;;) {
      try {
        return this.#mayWrite && (await settleHandover(db, handover, result, store))
      } catch (error) {
        // its account was deleted meanwhile
        if (error instanceof AppError) return await this.#settle(handover, { kind: 'done' })
        onError('settle', error)
        await new Promise(resolve => setTimeout(resolve, settleRetryMs))
      }
    }
  }

  #noteReachable(submission: Submission, { tries }: ClaimedHandover): void {
    const { onReachable, rules, inFlightMax } = this.#options
    // a new email proves nothing, because the server may refuse to relay only to some recipients
    if (submission.kind === 'accepted' && tries > 0 && this.#wasUnreachable) {
      this.#wasUnreachable = false
      onReachable()
    }
    if (refusesToRelay(submission, rules)) {
      this.#noteUnreachable(submission)
      this.#deniedInARow += 1
      // if the server refuses to relay to one recipient, this must not delay all others
      if (this.#deniedInARow > inFlightMax) this.#pause()
      return
    }
    if (submission.kind === 'accepted' || submission.kind === 'unsendable' || isAboutTheEmail(submission)) {
      this.#pauseMs = pauseMsMin
      this.#deniedInARow = 0
      return
    }
    this.#noteUnreachable(submission)
    this.#pause()
  }

  #noteUnreachable(submission: Submission): void {
    this.#wasUnreachable = true
    this.#options.onUnreachable(submission)
  }

  #pause(): void {
    const nowMs = this.#options.clock.monotonicMs()
    // hand-overs that fail together count once
    if (this.#pausedUntilMs > nowMs) return
    this.#pausedUntilMs = nowMs + this.#pauseMs
    this.#pauseMs = Math.min(this.#pauseMs * 2, pauseMsMax)
  }

  async #renew(): Promise<void> {
    if (this.#held.size === 0) return
    const { db, leaseMs, onError } = this.#options
    try {
      await renewLeases(db, [...this.#held.keys()], leaseMs)
    } catch (error) {
      onError('renew', error)
    }
  }
}

import { BulkRate } from './bulk-rate.ts'
import { BulkStarts } from './bulk-starts.ts'

/** More than so many at once are bulk: outcomes in one report, deliveries in one claim. */
export const fewMax = 100

/** So many times what storing a few events usually takes is borne; beyond it, bulk makes way. */
const borne = 1.25

/** How long bulk of one kind rests. */
export interface Rests {
  /** How many times as long as it worked for each time that storing a few events takes beyond what is borne. */
  perTime: number
  /** At most so many times as long as it worked, and no longer than that: it always gets on. */
  timesMax: number
  msMax: number
}

/** Somebody waits for the answer to what was reported in bulk. */
const restsOfReports: Rests = { perTime: 3, timesMax: 3, msMax: 250 }
/**
 * What is claimed in bulk is late already, there may be an hour's worth of it, and sending it costs more than the claim: it
 * makes way sooner. But where the database has too little without it as well, a backlog that rests much longer than this grows
 * no smaller beside what goes on arriving for the same receivers.
 */
export const restsOfClaims: Rests = { perTime: 10, timesMax: 4, msMax: 500 }

/**
 * Where so many events a second are reported a few at a time, bulk makes all the way that it can; where half as many are, a
 * quarter of it. A handful a second would otherwise cost bulk a third of its rate.
 */
const allFromPerSecond = 100
/** What was reported so long ago counts for a third of what is reported now. */
const fewFadeMs = 250
/** What is further apart is not beside each other: then there is nobody to make way for, or no bulk that could be felt. */
const besideMs = 1_000
/** So many times as long as a piece of a report took rests the next one, where somebody has to wait for bulk. */
const timesAfterPiece = 2
/** In one report. */
const pausesMsMax = 250
/** A report of a thousand events at the slowest pace. */
const pacedReportMsMax = 500
/** What is shorter than this is as good. */
const leastMs = 1
/** By how much one more storing moves what is held for the median: of late, and as a rule. */
const stepOfLate = 1.05
const stepAsARule = 1.03

/**
 * How long what is done in bulk makes way for those who report a few events at a time. It is told how long storing
 * theirs takes: as long as that is what it is without bulk, on a database that has enough to work with, bulk does not
 * rest. Where they have to wait, the rests grow with it, and with the square of how many it is that wait.
 *
 * All times are of one monotonic clock, in milliseconds.
 */
export class BulkPace {
  /** The median of what storing a few events took of late; the best that it ever was; and as it is without bulk. */
  #ofLateMs: number | null = null
  #bestMs = Number.POSITIVE_INFINITY
  #withoutBulkMs: number | null = null
  #fewAtMs = Number.NEGATIVE_INFINITY
  /** Events reported a few at a time, faded. */
  #few = 0
  #bulkAtMs = Number.NEGATIVE_INFINITY
  readonly #rate = new BulkRate()
  /** When deliveries of what was reported in bulk may begin. */
  readonly starts = new BulkStarts(nowMs => this.perMs(nowMs))

  /** A few events were stored, which were reported a few at a time. */
  storedFew(fromMs: number, untilMs: number, events: number): void {
    this.#few = this.#fewAt(untilMs) + events
    const tookMs = untilMs - fromMs
    this.#ofLateMs = moved(this.#ofLateMs, tookMs, stepOfLate)
    this.#bestMs = Math.min(this.#bestMs, this.#ofLateMs)
    if (fromMs - Math.max(this.#bulkAtMs, this.starts.lastAtMs) > besideMs) {
      this.#withoutBulkMs = moved(this.#withoutBulkMs, tookMs, stepAsARule)
      this.#rate.storedWithout(tookMs / this.#usualMs)
    } else this.#rate.stored(tookMs / this.#usualMs)
    this.#fewAtMs = untilMs
  }

  /** Something was done in bulk: says how long its like rests before it is done again. */
  restMsAfter(fromMs: number, untilMs: number, rests = restsOfReports): number {
    this.#bulkAtMs = untilMs
    return Math.min(rests.msMax, (untilMs - fromMs) * this.#restTimes(untilMs, rests))
  }

  /** Whether somebody reports a few events at a time. */
  isBesideFew(nowMs: number): boolean {
    return nowMs - this.#fewAtMs <= besideMs
  }

  /** Whether somebody has to wait for bulk, so that what is reported in bulk is stored in pieces. */
  isFelt(nowMs: number): boolean {
    return this.perMs(nowMs) < Number.POSITIVE_INFINITY
  }

  /**
   * A piece of a report is stored: says how long the next one rests. Its endpoints are locked meanwhile, so the rests in one
   * report have a bound, and the rest of them comes after it.
   * @param pausedMs for how long pieces of this report rested before
   */
  pauseMsAfterPiece(fromMs: number, untilMs: number, pausedMs: number): number {
    if (!this.isFelt(untilMs)) return 0
    return Math.max(0, Math.min((untilMs - fromMs) * timesAfterPiece, pausesMsMax - pausedMs))
  }

  /**
   * What was reported in bulk is stored: says how long the next report rests. As much is accepted in a millisecond as may
   * begin, or what waits would only grow.
   * @param accountIds whose outcomes it brought, one for each outcome
   */
  restMsAfterReport(
    { fromMs, untilMs, pausedMs }: { fromMs: number; untilMs: number; pausedMs: number },
    accountIds: readonly string[],
  ): number {
    for (const accountId of accountIds) this.starts.reported(accountId, untilMs)
    const restMs = this.restMsAfter(fromMs + pausedMs, untilMs) - pausedMs
    const shortOfPaceMs = accountIds.length / this.perMs(untilMs) - (untilMs - fromMs)
    return Math.min(pacedReportMsMax, Math.max(0, restMs, shortOfPaceMs))
  }

  /** How many deliveries of bulk may begin in a millisecond: Infinity where nobody has to wait for them. */
  perMs(nowMs: number): number {
    if (!this.isBesideFew(nowMs)) return Number.POSITIVE_INFINITY
    return this.#rate.perMs / this.#share(nowMs)
  }

  get #usualMs(): number {
    // a process that began beside bulk knows only the best case
    return this.#withoutBulkMs ?? this.#bestMs
  }

  /** How much of the way that it can bulk makes. */
  #share(nowMs: number): number {
    return Math.min(1, this.#fewAt(nowMs) / ((allFromPerSecond * fewFadeMs) / 1_000)) ** 2
  }

  #restTimes(nowMs: number, { perTime, timesMax }: Rests): number {
    if (this.#ofLateMs === null || !this.isBesideFew(nowMs)) return 0
    const beyond = this.#ofLateMs / this.#usualMs - borne
    return this.#share(nowMs) * Math.min(timesMax, Math.max(0, beyond * perTime))
  }

  #fewAt(nowMs: number): number {
    return this.#few * Math.exp(-Math.max(0, nowMs - this.#fewAtMs) / fewFadeMs)
  }
}

/** One step towards the median: a single pause, of whatever length, moves it no further. */
function moved(medianMs: number | null, tookMs: number, step: number): number {
  if (medianMs === null) return Math.max(leastMs, tookMs)
  return Math.max(leastMs, tookMs > medianMs ? medianMs * step : medianMs / step)
}

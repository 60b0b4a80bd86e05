import { latencyBucket, type LatencyHistogram } from '../domain/latency-histogram.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'

/** The facts of an attempt that statistics count. */
export interface CountedAttempt {
  accountId: string
  endpointId: string
  /** A UUIDv7 with the start time. */
  id: string
  /** Null if the attempt succeeded. */
  errorCode: string | null
  durationMs: number
  /** Whether the delivery was given up after this attempt. */
  gaveUp: boolean
}

/** A delivery that was given up without another attempt. */
export interface GivenUpDelivery {
  accountId: string
  endpointId: string
  atMs: number
}

/** The number of attempts of one endpoint, minute and result; with the result `givenUp`, the number of deliveries. */
export interface AttemptCount {
  accountId: string
  endpointId: string
  minuteMs: number
  result: string
  count: number
  /** When the last of them ended, in milliseconds since the epoch. */
  lastMs: number
  latency: LatencyHistogram
}

const minuteMs = 60_000

/** The counts of a process that are not stored yet. */
export class AttemptCounts {
  /** By endpoint; each has only a few, for the last minutes and different results. */
  #counts = new Map<string, AttemptCount[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(attempt: CountedAttempt): void {
    const { id, errorCode, durationMs, gaveUp } = attempt
    const startMs = uuidV7Ms(id)
    const stored = asStored(durationMs)
    const one = this.#count(attempt, startMs, errorCode ?? delivered, Math.floor(startMs + stored))
    const bucket = latencyBucket(stored)
    one.latency.set(bucket, (one.latency.get(bucket) ?? 0) + 1)
    if (gaveUp) this.#count(attempt, startMs, givenUp, startMs)
  }

  addGivenUp(delivery: GivenUpDelivery): void {
    const { atMs } = delivery
    this.#count(delivery, atMs, givenUp, atMs)
  }

  /** Returns the counts and resets them. */
  take(): AttemptCount[] {
    const counts = [...this.#counts.values()].flat()
    this.#counts = new Map()
    this.#size = 0
    return counts
  }

  #count(
    { accountId, endpointId }: { accountId: string; endpointId: string },
    atMs: number,
    result: string,
    endMs: number,
  ): AttemptCount {
    const ofMinuteMs = atMs - (atMs % minuteMs)
    let ofEndpoint = this.#counts.get(endpointId)
    if (ofEndpoint === undefined) this.#counts.set(endpointId, (ofEndpoint = []))
    let one = ofEndpoint.find(count => count.minuteMs === ofMinuteMs && count.result === result)
    if (one === undefined) {
      one = {
        accountId,
        endpointId,
        minuteMs: ofMinuteMs,
        result,
        count: 0,
        lastMs: endMs,
        latency: new Map(),
      }
      ofEndpoint.push(one)
      this.#size++
    }
    one.count++
    if (endMs > one.lastMs) one.lastMs = endMs
    return one
  }
}

/** The result of a successful attempt; the result of a failed one is its error code. */
export const delivered = 'delivered'

/** The results of attempts that the receiver answered; only these have an answer time. */
export const answered: readonly string[] = [delivered, 'status_not_2xx', 'redirect_refused']

/** This result counts deliveries that were given up, not attempts. */
export const givenUp = 'exhausted'

/** Rounds like the column of the attempt, a `real` with two decimals, so that a recount finds the same bucket. */
function asStored(ms: number): number {
  return Math.fround(Math.round(ms * 100) / 100)
}

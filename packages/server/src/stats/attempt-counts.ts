import { latencyBucket, type LatencyHistogram } from '../domain/latency-histogram.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'

/** One attempt as far as it is counted. */
export interface CountedAttempt {
  accountId: string
  endpointId: string
  /** UUIDv7 of the moment at which it started. */
  id: string
  /** Null when it was acknowledged. */
  errorCode: string | null
  durationMs: number
  /** Its delivery was given up after it. */
  gaveUp: boolean
}

/** A delivery that was given up without another attempt. */
export interface GivenUpDelivery {
  accountId: string
  endpointId: string
  atMs: number
}

/** Attempts at one endpoint that started in the same minute and had the same result; or deliveries, see `givenUp`. */
export interface AttemptCount {
  accountId: string
  endpointId: string
  minuteMs: number
  result: string
  count: number
  /** When the latest of them ended, in milliseconds since the epoch. */
  lastMs: number
  latency: LatencyHistogram
}

const minuteMs = 60_000

/** What a process has counted and not yet written. */
export class AttemptCounts {
  /** Of each endpoint, the few that it has: of this minute and the last, and of different results. */
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

  /** Hands over what was counted and begins anew. */
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

/** The result of an attempt that was acknowledged; the others have their error code. */
export const delivered = 'delivered'

/** As a result it counts deliveries and no attempts: those that were given up. */
export const givenUp = 'exhausted'

/** The attempt's row holds hundredths as a `real`: a recount must find the same bucket. */
function asStored(ms: number): number {
  return Math.fround(Math.round(ms * 100) / 100)
}

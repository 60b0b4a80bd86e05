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
}

/** Attempts at one endpoint that started in the same minute and had the same result. */
export interface AttemptCount {
  accountId: string
  endpointId: string
  minuteMs: number
  result: string
  count: number
  latency: LatencyHistogram
}

const minuteMs = 60_000

/** What a process has counted and not yet written. */
export class AttemptCounts {
  #counts = new Map<string, AttemptCount>()

  get size(): number {
    return this.#counts.size
  }

  add({ accountId, endpointId, id, errorCode, durationMs }: CountedAttempt): void {
    const startMs = uuidV7Ms(id)
    const result = errorCode ?? delivered
    const ofMinuteMs = startMs - (startMs % minuteMs)
    const key = `${endpointId} ${ofMinuteMs} ${result}`
    let one = this.#counts.get(key)
    if (one === undefined) {
      one = { accountId, endpointId, minuteMs: ofMinuteMs, result, count: 0, latency: new Map() }
      this.#counts.set(key, one)
    }
    const bucket = latencyBucket(asStored(durationMs))
    one.count++
    one.latency.set(bucket, (one.latency.get(bucket) ?? 0) + 1)
  }

  /** Hands over what was counted and begins anew. */
  take(): AttemptCount[] {
    const counts = [...this.#counts.values()]
    this.#counts = new Map()
    return counts
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

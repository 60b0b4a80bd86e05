import type { FastifyReply } from 'fastify'
import type { Clock } from '../context.ts'
import { AppError } from '../errors.ts'

interface Bucket {
  tokens: number
  atMs: number
}

const bucketsMax = 10_000

/**
 * Counts the requests of each API key: a bucket holds twice the rate and refills steadily. Counted per process,
 * because a shared count would cost every request a query.
 */
export class RateLimit {
  readonly #perSecond: number
  readonly #burst: number
  readonly #clock: Clock
  readonly #buckets = new Map<string, Bucket>()

  /** @param perSecond 0 switches the limit off */
  constructor(perSecond: number, clock: Clock) {
    this.#perSecond = perSecond
    this.#burst = Math.max(1, perSecond * 2)
    this.#clock = clock
  }

  /**
   * Takes one request from the key's bucket and writes what is left into the answer's headers.
   * @throws AppError `rate_limited` when it is empty
   */
  take(keyId: string, reply: FastifyReply): void {
    if (this.#perSecond === 0) return
    const bucket = this.#refilled(keyId)
    const isAllowed = bucket.tokens >= 1
    if (isAllowed) bucket.tokens -= 1
    void reply.headers({
      'ratelimit-limit': String(Math.floor(this.#burst)),
      'ratelimit-remaining': String(Math.floor(bucket.tokens)),
      'ratelimit-reset': String(Math.ceil((this.#burst - bucket.tokens) / this.#perSecond)),
    })
    if (isAllowed) return
    const waitSeconds = Math.ceil((1 - bucket.tokens) / this.#perSecond)
    void reply.header('retry-after', String(waitSeconds))
    throw new AppError('rate_limited', `Too many requests with this API key. Try again in ${waitSeconds} s.`)
  }

  #refilled(keyId: string): Bucket {
    const nowMs = this.#clock.monotonicMs()
    const bucket = this.#buckets.get(keyId) ?? this.#newBucket(keyId, nowMs)
    const elapsedSeconds = Math.max(0, nowMs - bucket.atMs) / 1000
    bucket.tokens = Math.min(this.#burst, bucket.tokens + elapsedSeconds * this.#perSecond)
    bucket.atMs = nowMs
    return bucket
  }

  #newBucket(keyId: string, nowMs: number): Bucket {
    if (this.#buckets.size >= bucketsMax) this.#forgetIdle(nowMs)
    const bucket = { tokens: this.#burst, atMs: nowMs }
    this.#buckets.set(keyId, bucket)
    return bucket
  }

  /** A bucket that was left alone for two seconds is full again, and no different from a new one. */
  #forgetIdle(nowMs: number): void {
    const fullAfterMs = (this.#burst / this.#perSecond) * 1000
    for (const [keyId, bucket] of this.#buckets)
      if (nowMs - bucket.atMs >= fullAfterMs) this.#buckets.delete(keyId)
  }
}

import type { FastifyReply } from 'fastify'
import type { Clock } from '../context.ts'
import { AppError } from '../errors.ts'
import { TokenBuckets } from './token-buckets.ts'

/**
 * Counts the requests of each API key: a bucket holds twice the rate and refills steadily. Counted per process,
 * because a shared count would cost every request a query.
 */
export class RateLimit {
  readonly #burst: number
  readonly #buckets: TokenBuckets | null

  /** @param perSecond 0 switches the limit off */
  constructor(perSecond: number, clock: Clock) {
    this.#burst = Math.max(1, perSecond * 2)
    this.#buckets = perSecond === 0 ? null : new TokenBuckets({ perSecond, burst: this.#burst }, clock)
  }

  /**
   * Takes one request from the bucket and writes what is left into the answer's headers.
   * @param counted the API key's id, or the portal session's
   * @throws AppError `rate_limited` when it is empty
   */
  take(counted: string, reply: FastifyReply): void {
    if (this.#buckets === null) return
    const { isAllowed, left, fullInSeconds, waitSeconds } = this.#buckets.take(counted)
    void reply.headers({
      'ratelimit-limit': String(Math.floor(this.#burst)),
      'ratelimit-remaining': String(left),
      'ratelimit-reset': String(fullInSeconds),
    })
    if (isAllowed) return
    void reply.header('retry-after', String(waitSeconds))
    throw new AppError('rate_limited', `Too many requests with this API key. Try again in ${waitSeconds} s.`)
  }
}

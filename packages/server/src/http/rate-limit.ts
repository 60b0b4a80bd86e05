import type { FastifyReply } from 'fastify'
import type { Clock } from '../context.ts'
import { AppError } from '../errors.ts'
import { TokenBuckets } from './token-buckets.ts'

/**
 * Limits the requests of each account with a token bucket that holds twice the rate. It counts per process, because a
 * shared count would cost a query for each request.
 */
export class RateLimit {
  readonly #burst: number
  readonly #buckets: TokenBuckets | null

  /** @param perSecond 0 turns the limit off */
  constructor(perSecond: number, clock: Clock) {
    this.#burst = Math.max(1, perSecond * 2)
    this.#buckets = perSecond === 0 ? null : new TokenBuckets({ perSecond, burst: this.#burst }, clock)
  }

  /**
   * Takes one token and sets the `RateLimit` headers.
   * @param counted the id of the account or the portal session
   * @throws AppError `rate_limited` if the bucket is empty
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
    throw new AppError('rate_limited', `Too many requests. Try again in ${waitSeconds} s.`)
  }
}

import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../context.ts'
import { clientNetwork } from '../domain/client-network.ts'
import { AppError } from '../errors.ts'
import type { OwnAddress } from './own-address.ts'
import { TokenBuckets } from './token-buckets.ts'

const perMinute = 20

/** Counts what was tried in vain from each address, per process. */
export class SignInLimit {
  readonly #buckets: TokenBuckets

  constructor(clock: Clock) {
    this.#buckets = new TokenBuckets({ perSecond: perMinute / 60, burst: perMinute }, clock)
  }

  /**
   * Runs an attempt, which counts if the secret is wrong. It is counted before, so that many at once do not slip through.
   * @throws AppError `rate_limited`, and what the attempt throws
   */
  async attempt<Result>(
    request: FastifyRequest,
    own: OwnAddress,
    run: () => Promise<Result>,
  ): Promise<Result> {
    const address = clientAddress(request, own)
    const { isAllowed, waitSeconds } = this.#buckets.take(address)
    if (!isAllowed) {
      const text = `Too many attempts from your address. Try again in ${waitSeconds} s.`
      throw new AppError('rate_limited', text, [], { 'retry-after': String(waitSeconds) })
    }
    try {
      const result = await run()
      this.#buckets.giveBack(address)
      return result
    } catch (error) {
      if (!isWrongSecret(error)) this.#buckets.giveBack(address)
      throw error
    }
  }
}

/** And not, for instance, a database that is away. */
function isWrongSecret(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'unauthorized' || error.code === 'portal_link_ended')
}

/** Behind the proxy that ends HTTPS everybody has its address; whom it speaks for, it adds at the end of the header. */
function clientAddress({ ip, headers }: FastifyRequest, { isSecure }: OwnAddress): string {
  const forwarded = [headers['x-forwarded-for'] ?? ''].flat().join(',').split(',').at(-1)?.trim() ?? ''
  return clientNetwork(isSecure && isIP(forwarded) !== 0 ? forwarded : ip)
}

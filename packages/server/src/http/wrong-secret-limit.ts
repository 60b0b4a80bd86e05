import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../context.ts'
import { clientNetwork } from '../domain/client-network.ts'
import { AppError } from '../errors.ts'
import { OidcFailure } from './oidc.ts'
import { TokenBuckets } from './token-buckets.ts'

/** Limits wrong secrets from each address, per process. */
export class WrongSecretLimit {
  readonly #buckets: TokenBuckets

  /** @param perMinute also how many may come at once */
  constructor(perMinute: number, clock: Clock) {
    this.#buckets = new TokenBuckets({ perSecond: perMinute / 60, burst: perMinute }, clock)
  }

  /**
   * Runs an attempt, which counts only if the secret is wrong: it throws `unauthorized`,
   * `portal_link_ended` or an OidcFailure, or finds null.
   * It is counted before it runs, so that concurrent attempts cannot exceed the limit.
   *
   * @param isProxied whether a proxy adds the client's address to `X-Forwarded-For`
   * @throws AppError `rate_limited`, and what the attempt throws
   */
  async attempt<Result>(
    request: FastifyRequest,
    isProxied: boolean,
    run: () => Promise<Result>,
  ): Promise<Result> {
    const address = clientAddress(request, isProxied)
    const { isAllowed, waitSeconds } = this.#buckets.take(address)
    if (!isAllowed) {
      const text = `Too many attempts from your address. Try again in ${waitSeconds} s.`
      throw new AppError('rate_limited', text, [], { 'retry-after': String(waitSeconds) })
    }
    try {
      const result = await run()
      if (result !== null) this.#buckets.giveBack(address)
      return result
    } catch (error) {
      if (!isWrongSecret(error)) this.#buckets.giveBack(address)
      throw error
    }
  }
}

/** Other errors, such as an unavailable database, do not count. */
function isWrongSecret(error: unknown): boolean {
  if (error instanceof OidcFailure) return true
  return error instanceof AppError && (error.code === 'unauthorized' || error.code === 'portal_link_ended')
}

/** Behind a TLS proxy or a front, the client's address is the last entry in `X-Forwarded-For`, because they add it. */
function clientAddress({ ip, headers, front }: FastifyRequest, isProxied: boolean): string {
  const forwarded = [headers['x-forwarded-for'] ?? ''].flat().join(',').split(',').at(-1)?.trim() ?? ''
  return clientNetwork((isProxied || front !== null) && isIP(forwarded) !== 0 ? forwarded : ip)
}

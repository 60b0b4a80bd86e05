import { hash, timingSafeEqual } from 'node:crypto'
import { findApiKey } from '../api-keys/find-api-key.ts'
import { touchApiKey } from '../api-keys/touch-api-key.ts'
import type { Ctx } from '../context.ts'
import { isApiKey } from '../domain/api-key.ts'
import { isOperatorToken } from '../domain/operator-token.ts'
import { AppError } from '../errors.ts'
import { findOperator } from '../operators/find-operator.ts'
import { touchOperator } from '../operators/touch-operator.ts'
import { askRecently } from './ask-recently.ts'
import { adminCaller, type KeyHolder, type Operator } from './caller.ts'

const cachedKeysMax = 10_000
const touchEveryMs = 60_000

interface Known {
  readonly caller: KeyHolder | Operator
  readonly expiresAt: Date | null
}

interface Cached extends Known {
  readonly untilMs: number
}

/**
 * Finds the caller of a credential. It returns the operator, and credentials seen within the last second, without a promise
 * or a query, because this is on the hot path.
 */
export class Authenticator {
  readonly #ctx: Ctx
  readonly #operatorDigest: Uint8Array
  readonly #cache = new Map<string, Cached>()
  readonly #lookups = new Map<string, Promise<Known['caller']>>()
  readonly #touchedMs = new Map<string, number>()

  constructor(ctx: Ctx, operatorToken: string) {
    this.#ctx = ctx
    this.#operatorDigest = hash('sha256', operatorToken, 'buffer')
  }

  /** Compares digests in constant time. */
  isOperator(credential: string): boolean {
    return timingSafeEqual(hash('sha256', credential, 'buffer'), this.#operatorDigest)
  }

  /** @throws AppError `unauthorized` for an unknown, expired or revoked credential */
  identify(credential: string): Operator | KeyHolder | Promise<Operator | KeyHolder> {
    const digest = hash('sha256', credential, 'buffer')
    if (timingSafeEqual(digest, this.#operatorDigest)) return adminCaller

    const cacheKey = digest.toString('latin1')
    const cached = this.#cache.get(cacheKey)
    if (cached !== undefined && cached.untilMs > this.#ctx.clock.monotonicMs()) {
      this.#checkExpiry(cached)
      return cached.caller
    }
    // rejects a mistyped key without a query
    const isOperator = isOperatorToken(credential)
    if (!isOperator && !isApiKey(credential)) throw unknownCredential()
    const underWay = this.#lookups.get(cacheKey)
    if (underWay !== undefined) return underWay
    const lookup = this.#lookUp(cacheKey, digest, isOperator).finally(() => this.#lookups.delete(cacheKey))
    this.#lookups.set(cacheKey, lookup)
    return lookup
  }

  async #lookUp(cacheKey: string, digest: Uint8Array, isOperator: boolean): Promise<Known['caller']> {
    const { answer, untilMs } = await askRecently(this.#ctx.clock, async () => {
      const found = isOperator ? await this.#findOperator(digest) : await this.#findKey(digest)
      this.#checkExpiry(found)
      return found
    })
    if (this.#cache.size >= cachedKeysMax) this.#cache.clear()
    this.#cache.set(cacheKey, { ...answer, untilMs })
    this.#touch(answer.caller)
    return answer.caller
  }

  async #findKey(digest: Uint8Array): Promise<Known> {
    const key = await findApiKey(this.#ctx, digest)
    if (key === undefined) throw unknownCredential()
    if (key.revokedAt !== null)
      throw new AppError('unauthorized', 'This API key was revoked. Use another one.')
    const { accountId, keyId, scopes, expiresAt } = key
    return { caller: { kind: 'key', accountId, keyId, scopes }, expiresAt }
  }

  async #findOperator(digest: Uint8Array): Promise<Known> {
    const found = await findOperator(this.#ctx, digest)
    if (found === undefined) throw unknownCredential()
    const { tokenId, name, role, expiresAt } = found
    return { caller: { kind: 'operator', tokenId, name, method: 'token', role }, expiresAt }
  }

  #checkExpiry({ caller, expiresAt }: Known): void {
    if (expiresAt === null || expiresAt.getTime() > this.#ctx.clock.nowMs()) return
    const what = caller.kind === 'key' ? 'API key' : 'token'
    throw new AppError('unauthorized', `This ${what} has expired. Ask the operator for a new one.`)
  }

  /** Records the use without delaying the request. A lost write is repeated within a minute. */
  #touch(caller: Known['caller']): void {
    const id = caller.kind === 'key' ? caller.keyId : (caller.tokenId ?? '')
    const nowMs = this.#ctx.clock.monotonicMs()
    if (nowMs - (this.#touchedMs.get(id) ?? -touchEveryMs) < touchEveryMs) return
    if (this.#touchedMs.size >= cachedKeysMax) this.#touchedMs.clear()
    this.#touchedMs.set(id, nowMs)
    const touched =
      caller.kind === 'key' ? touchApiKey(this.#ctx, caller.accountId, id) : touchOperator(this.#ctx, id)
    touched.catch(() => this.#touchedMs.delete(id))
  }
}

function unknownCredential(): AppError {
  return new AppError(
    'unauthorized',
    'This credential is unknown. Check that it is complete and belongs to this service.',
  )
}

import { hash, timingSafeEqual } from 'node:crypto'
import { type FoundApiKey, findApiKey } from '../api-keys/find-api-key.ts'
import { touchApiKey } from '../api-keys/touch-api-key.ts'
import type { Ctx } from '../context.ts'
import { isApiKey } from '../domain/api-key.ts'
import { AppError } from '../errors.ts'
import { askRecently } from './ask-recently.ts'
import type { KeyHolder, Operator } from './caller.ts'

const cachedKeysMax = 10_000
const touchEveryMs = 60_000

interface Cached {
  readonly found: FoundApiKey
  readonly holder: KeyHolder
  readonly untilMs: number
}

/**
 * Finds the caller of a credential. It returns the operator, and keys seen within the last second, without a promise or a
 * query, because this is on the hot path.
 */
export class Authenticator {
  readonly #ctx: Ctx
  readonly #operatorDigest: Uint8Array
  readonly #cache = new Map<string, Cached>()
  readonly #lookups = new Map<string, Promise<KeyHolder>>()
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
  identify(credential: string): Operator | KeyHolder | Promise<KeyHolder> {
    const digest = hash('sha256', credential, 'buffer')
    if (timingSafeEqual(digest, this.#operatorDigest)) return { kind: 'operator' }

    const cacheKey = digest.toString('latin1')
    const cached = this.#cache.get(cacheKey)
    if (cached !== undefined && cached.untilMs > this.#ctx.clock.monotonicMs()) {
      this.#checkExpiry(cached.found)
      return cached.holder
    }
    // rejects a mistyped key without a query
    if (!isApiKey(credential)) throw unknownCredential()
    const underWay = this.#lookups.get(cacheKey)
    if (underWay !== undefined) return underWay
    const lookup = this.#lookUp(cacheKey, digest).finally(() => this.#lookups.delete(cacheKey))
    this.#lookups.set(cacheKey, lookup)
    return lookup
  }

  async #lookUp(cacheKey: string, digest: Uint8Array): Promise<KeyHolder> {
    const { answer: found, untilMs } = await askRecently(this.#ctx.clock, async () => {
      const key = await findApiKey(this.#ctx, digest)
      if (key === undefined) throw unknownCredential()
      if (key.revokedAt !== null)
        throw new AppError('unauthorized', 'This API key was revoked. Use another one.')
      this.#checkExpiry(key)
      return key
    })
    return this.#admit(cacheKey, found, untilMs)
  }

  #admit(cacheKey: string, found: FoundApiKey, untilMs: number): KeyHolder {
    const { accountId, keyId, scopes } = found
    const holder: KeyHolder = { kind: 'key', accountId, keyId, scopes }
    if (this.#cache.size >= cachedKeysMax) this.#cache.clear()
    this.#cache.set(cacheKey, { found, holder, untilMs })
    this.#touch(holder)
    return holder
  }

  #checkExpiry({ expiresAt }: FoundApiKey): void {
    if (expiresAt === null || expiresAt.getTime() > this.#ctx.clock.nowMs()) return
    throw new AppError('unauthorized', 'This API key has expired. Ask the operator for a new one.')
  }

  /** Records the use without delaying the request. A lost write is repeated within a minute. */
  #touch({ accountId, keyId }: KeyHolder): void {
    const nowMs = this.#ctx.clock.monotonicMs()
    if (nowMs - (this.#touchedMs.get(keyId) ?? -touchEveryMs) < touchEveryMs) return
    if (this.#touchedMs.size >= cachedKeysMax) this.#touchedMs.clear()
    this.#touchedMs.set(keyId, nowMs)
    touchApiKey(this.#ctx, accountId, keyId).catch(() => this.#touchedMs.delete(keyId))
  }
}

function unknownCredential(): AppError {
  return new AppError(
    'unauthorized',
    'This credential is unknown. Check that it is complete and belongs to this service.',
  )
}

import { type RawBody, bodyBytes } from './body-bytes.ts'
import { WebhookPayloadError } from './errors.ts'
import { WebhookStoreError } from './store-error.ts'
import { hex } from './web-hmac.ts'

/** Remembers which events were processed. `./dedupe` has three; yours needs these three verbs. */
export interface DedupeStore {
  /** Takes the id for `leaseMs` unless it is taken or done; must be atomic. Keeps the digest beside it. */
  claim(id: string, leaseMs: number, digest?: string): Promise<'claimed' | 'in_progress' | 'done'>
  /** Marks the id as done for `ttlMs`. */
  complete(id: string, ttlMs: number, digest?: string): Promise<void>
  /** Gives the id back, unless it is done. */
  release(id: string): Promise<void>
  /** The digest kept beside an id that is taken or done. A store without this verb cannot warn. */
  digestOf?(id: string): Promise<string | undefined>
}

export interface ProcessOnceOptions {
  /** How long the id is remembered, default 30 days: longer than all retries, and replays besides. */
  readonly ttlSeconds?: number | undefined
  /** After how long a claim whose process died is free again, default 60 s: longer than the handler takes. */
  readonly leaseSeconds?: number | undefined
  /** The verified body. Its digest is kept, and another body under the same id is warned of. */
  readonly body?: RawBody | undefined
  /** Learns that an id came with another body than before. Without it the warning goes to the console. */
  readonly onWarning?: ((warning: WebhookPayloadError) => void) | undefined
}

export type Processed<T> =
  /** `recorded` is false when the store failed after the work was done: the event may run once more. */
  | { readonly status: 'processed'; readonly value: T; readonly recorded: boolean }
  | { readonly status: 'duplicate' }
  | { readonly status: 'in_progress' }

/**
 * Runs `fn` unless it ran before for this id. If `fn` throws, or its process dies, the id is free again and the
 * next delivery of the event runs it: at least once, and once only when it succeeded. The id alone decides;
 * another body under it is not run either, but reported, because no sender that works right does that.
 *
 * @example
 * const event = await verifier.constructEvent(body, headers)
 * const outcome = await processOnce(store, event.id, () => updateContact(event), { ttlSeconds: 30 * 86_400 })
 */
export async function processOnce<T>(
  store: DedupeStore,
  id: string,
  fn: () => T | Promise<T>,
  options: ProcessOnceOptions = {},
): Promise<Processed<T>> {
  const { ttlSeconds = 30 * 86_400, leaseSeconds = 60, body } = options
  const digest = body === undefined ? undefined : await digestOf(body)
  const lapsesAt = performance.now() + leaseSeconds * 1000
  const claim = await claimOf(store, id, leaseSeconds * 1000, digest)
  if (claim !== 'claimed') {
    await warnOfAnotherBody(store, id, digest, options.onWarning)
    return { status: claim === 'done' ? 'duplicate' : claim }
  }
  let value: T
  try {
    value = await fn()
  } catch (error) {
    // After the lease another process may hold the id, and its claim is not ours to give back.
    if (performance.now() < lapsesAt) await store.release(id).catch(() => undefined)
    throw error
  }
  const recorded = await store.complete(id, ttlSeconds * 1000, digest).then(
    () => true,
    () => false,
  )
  return { status: 'processed', value, recorded }
}

async function claimOf(
  store: DedupeStore,
  id: string,
  leaseMs: number,
  digest: string | undefined,
): ReturnType<DedupeStore['claim']> {
  try {
    return await store.claim(id, leaseMs, digest)
  } catch (cause) {
    throw new WebhookStoreError(cause)
  }
}

async function digestOf(body: RawBody): Promise<string> {
  // A copy, because Web Crypto does not take memory that is shared.
  return hex(await crypto.subtle.digest('SHA-256', new Uint8Array(bodyBytes(body))))
}

async function warnOfAnotherBody(
  store: DedupeStore,
  id: string,
  digest: string | undefined,
  onWarning: ProcessOnceOptions['onWarning'] = console.warn,
): Promise<void> {
  if (digest === undefined) return
  // The answer does not depend on it, so a store that fails here is as good as one that knows nothing.
  const known = await store.digestOf?.(id).catch(() => undefined)
  if (known !== undefined && known !== digest) onWarning(new WebhookPayloadError('event_changed', id))
}

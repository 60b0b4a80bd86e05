import { type RawBody, bodyBytes } from './body-bytes.ts'
import { WebhookPayloadError, WebhookUsageError } from './errors.ts'
import { WebhookStoreError } from './store-error.ts'
import { hex } from './web-hmac.ts'

/** Remembers which events were processed. `./dedupe` has three stores. Your own needs the first three methods. */
export interface DedupeStore {
  /** Claims the id for `leaseMs` unless it is claimed or done, and stores the digest. Must be atomic. */
  claim(id: string, leaseMs: number, digest?: string): Promise<'claimed' | 'in_progress' | 'done'>
  /** Marks the id as done for `ttlMs`. */
  complete(id: string, ttlMs: number, digest?: string): Promise<void>
  /** Releases the id unless it is done. */
  release(id: string): Promise<void>
  /** The digest of an id that is claimed or done. Without this method, `processOnce` cannot warn. */
  digestOf?(id: string): Promise<string | undefined>
}

export interface ProcessOnceOptions {
  /** How long to remember the id. The default of 30 days covers all retries and replays. */
  readonly ttlSeconds?: number | undefined
  /** When a claim expires if its process dies, default 60 s. It must be longer than your handler takes. */
  readonly leaseSeconds?: number | undefined
  /** The verified body. Its digest is stored, and a different body with the same id causes a warning. */
  readonly body?: RawBody | undefined
  /**
   * Called when an id arrives with a different body, and when the store fails after `fn` succeeded. Defaults to
   * `console.warn`.
   */
  readonly onWarning?: ((warning: WebhookPayloadError | WebhookStoreError) => void) | undefined
}

export type Processed<T> =
  /** `recorded` is false if the store failed after `fn` succeeded. The event may then be processed again. */
  | { readonly status: 'processed'; readonly value: T; readonly recorded: boolean }
  | { readonly status: 'duplicate' }
  | { readonly status: 'in_progress' }

/**
 * Runs `fn` unless it already succeeded for this id. If `fn` throws or its process dies, the next delivery of the event
 * runs it again. Only the id decides. A different body with the same id does not run `fn`, but causes a warning, because
 * Posthorn never sends that.
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
  const { ttlSeconds = 30 * 86_400, leaseSeconds = 60, body, onWarning = console.warn } = options
  if (!(ttlSeconds > 0 && leaseSeconds > 0)) {
    throw new WebhookUsageError('option_invalid', 'ttlSeconds and leaseSeconds must be more than 0')
  }
  const digest = body === undefined ? undefined : await digestOf(body)
  const lapsesAt = performance.now() + leaseSeconds * 1000
  const claim = await claimOf(store, id, leaseSeconds * 1000, digest)
  if (claim !== 'claimed') {
    await warnOfAnotherBody(store, id, digest, onWarning)
    return { status: claim === 'done' ? 'duplicate' : claim }
  }
  let value: T
  try {
    value = await fn()
  } catch (error) {
    // After the lease, another process may have claimed the id, so do not release it.
    if (performance.now() < lapsesAt) await store.release(id).catch(() => undefined)
    throw error
  }
  try {
    await store.complete(id, ttlSeconds * 1000, digest)
    return { status: 'processed', value, recorded: true }
  } catch (cause) {
    onWarning(new WebhookStoreError(cause, `${id} was processed, but not recorded`))
    return { status: 'processed', value, recorded: false }
  }
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
  // Copied, because Web Crypto does not accept shared memory.
  return hex(await crypto.subtle.digest('SHA-256', new Uint8Array(bodyBytes(body))))
}

async function warnOfAnotherBody(
  store: DedupeStore,
  id: string,
  digest: string | undefined,
  onWarning: NonNullable<ProcessOnceOptions['onWarning']>,
): Promise<void> {
  if (digest === undefined) return
  // A failing store is ignored, because the result does not depend on the digest.
  const known = await store.digestOf?.(id).catch(() => undefined)
  if (known !== undefined && known !== digest) onWarning(new WebhookPayloadError('event_changed', id))
}

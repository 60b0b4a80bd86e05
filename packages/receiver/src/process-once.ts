import { WebhookStoreError } from './store-error.ts'

/** Remembers which events were processed. `./dedupe` has three; yours needs these three verbs. */
export interface DedupeStore {
  /** Takes the id for `leaseMs` unless it is taken or done; must be atomic. */
  claim(id: string, leaseMs: number): Promise<'claimed' | 'in_progress' | 'done'>
  /** Marks the id as done for `ttlMs`. */
  complete(id: string, ttlMs: number): Promise<void>
  /** Gives the id back, unless it is done. */
  release(id: string): Promise<void>
}

export interface ProcessOnceOptions {
  /** How long the id is remembered, default 30 days: longer than all retries, and replays besides. */
  readonly ttlSeconds?: number | undefined
  /** After how long a claim whose process died is free again, default 60 s: longer than the handler takes. */
  readonly leaseSeconds?: number | undefined
}

export type Processed<T> =
  /** `recorded` is false when the store failed after the work was done: the event may run once more. */
  | { readonly status: 'processed'; readonly value: T; readonly recorded: boolean }
  | { readonly status: 'duplicate' }
  | { readonly status: 'in_progress' }

/**
 * Runs `fn` unless it ran before for this id. If `fn` throws, or its process dies, the id is free again and the
 * next delivery of the event runs it: at least once, and once only when it succeeded.
 *
 * @example
 * const outcome = await processOnce(store, event.id, () => updateContact(event), { ttlSeconds: 30 * 86_400 })
 */
export async function processOnce<T>(
  store: DedupeStore,
  id: string,
  fn: () => T | Promise<T>,
  options: ProcessOnceOptions = {},
): Promise<Processed<T>> {
  const { ttlSeconds = 30 * 86_400, leaseSeconds = 60 } = options
  const lapsesAt = performance.now() + leaseSeconds * 1000
  const claim = await claimOf(store, id, leaseSeconds * 1000)
  if (claim !== 'claimed') return { status: claim === 'done' ? 'duplicate' : claim }
  let value: T
  try {
    value = await fn()
  } catch (error) {
    // After the lease another process may hold the id, and its claim is not ours to give back.
    if (performance.now() < lapsesAt) await store.release(id).catch(() => undefined)
    throw error
  }
  const recorded = await store.complete(id, ttlSeconds * 1000).then(
    () => true,
    () => false,
  )
  return { status: 'processed', value, recorded }
}

async function claimOf(store: DedupeStore, id: string, leaseMs: number): ReturnType<DedupeStore['claim']> {
  try {
    return await store.claim(id, leaseMs)
  } catch (cause) {
    throw new WebhookStoreError(cause)
  }
}

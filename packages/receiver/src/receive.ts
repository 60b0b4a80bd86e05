import type { RawBody } from './body-bytes.ts'
import { type DedupeStore, processOnce } from './process-once.ts'
import { WebhookError, WebhookVerificationError } from './errors.ts'
import type { HeaderInput } from './header-line.ts'
import type { Verified } from './judge.ts'
import type { OpenEvent } from './open-event.ts'

/** What a handler is given besides the event. */
export interface HandlerContext<R> {
  readonly request: R
  readonly verified: Verified
}

/** What every handler of this package takes. */
export interface HandlerOptions {
  /** Learns why a request was not processed. Without it one line goes to the console. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Runs the handler once for each event id, however often the event is delivered. */
  readonly dedupe?: { readonly store: DedupeStore; readonly ttlSeconds?: number | undefined } | undefined
}

/** A request in no framework's shape. */
export interface Delivery {
  readonly method: string
  readonly headers: HeaderInput
  readBody(): Promise<RawBody>
}

/** An answer in no framework's shape, and what the handler returned if it ran. */
export interface Answer<T> {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
  readonly returned?: T
}

/**
 * The way of every request through every adapter: method, body, signature, event, duplicate, handler. The
 * answer to any failed verification is the same 401, and tells the sender nothing about the reason.
 */
export async function receive<E extends { id: string }, T>(
  delivery: Delivery,
  open: OpenEvent<E>,
  run: (event: E, verified: Verified) => Promise<T>,
  options: HandlerOptions,
): Promise<Answer<T>> {
  if (delivery.method !== 'POST') return text(405, 'method not allowed', { allow: 'POST' })
  try {
    const { event, verified } = await open(await delivery.readBody(), delivery.headers)
    const proof = { 'x-service-verified': verifiedParts(verified) }
    if (options.dedupe === undefined)
      return { ...text(200, 'ok', proof), returned: await run(event, verified) }
    const { store, ttlSeconds } = options.dedupe
    const outcome = await processOnce(store, event.id, () => run(event, verified), { ttlSeconds })
    if (outcome.status === 'in_progress') return text(409, 'in progress', { ...proof, 'retry-after': '5' })
    if (outcome.status === 'duplicate') return text(200, 'ok', proof)
    return { ...text(200, 'ok', proof), returned: outcome.value }
  } catch (error) {
    report(error, options.onError)
    return failure(error)
  }
}

/** The value of `X-Service-Verified`: every part name that a configured secret matched, in header order. */
export function verifiedParts(verified: Pick<Verified, 'matches'>): string {
  return [...new Set(verified.matches.map(match => match.partName))].join(',')
}

const FAILURES: Record<number, string> = {
  400: 'invalid payload',
  401: 'invalid signature',
  413: 'payload too large',
  503: 'try again later',
}

function failure(error: unknown): Answer<never> {
  const status = error instanceof WebhookError ? error.status : 500
  return text(status, FAILURES[status] ?? 'internal error')
}

function report(error: unknown, onError: HandlerOptions['onError']): void {
  if (onError !== undefined) return onError(error)
  // Anyone can send a forged request, so that is a warning; everything else is ours to mend.
  if (!(error instanceof WebhookVerificationError)) return console.error('webhook not processed', error)
  console.warn(`webhook refused: ${error.code}: ${error.message}; ${error.hint ?? 'see the documentation'}`)
}

function text(status: number, line: string, headers: Record<string, string> = {}): Answer<never> {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body: `${line}\n` }
}

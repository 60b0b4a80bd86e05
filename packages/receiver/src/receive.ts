import type { RawBody } from './body-bytes.ts'
import type { Processed } from './process-once.ts'
import { WebhookError } from './errors.ts'
import type { HeaderInput } from './header-line.ts'
import type { Verified } from './judge.ts'
import type { Open } from './open.ts'
import { parseEvent } from './parse-event.ts'

/** What a handler is given besides the event. */
export interface HandlerContext<R> {
  readonly request: R
  readonly verified: Verified
}

/** What every handler of this package takes. */
export interface HandlerOptions {
  /** Learns why a request was not processed. Without it the error goes to the console. */
  readonly onError?: ((error: unknown) => void) | undefined
  /**
   * Runs the handler once for each event id, however often the event is delivered:
   * `dedupe: (id, fn, seen) => processOnce(store, id, fn, seen)`.
   */
  readonly dedupe?:
    | (<T>(id: string, fn: () => Promise<T>, seen: SeenDelivery) => Promise<Processed<T>>)
    | undefined
}

/** What `processOnce` needs to warn of another body under an id that it knows. */
export interface SeenDelivery {
  readonly body: Uint8Array
  readonly onWarning: (warning: unknown) => void
}

/** A request in no framework's shape. */
export interface Delivery {
  readonly method: string
  readonly headers: HeaderInput
  readBody(): Promise<RawBody>
}

/** An answer in no framework's shape. */
export interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

/**
 * The way of every request through every adapter: method, body, signature, event, duplicate, handler. The
 * answer to any failed verification is the same 401, and tells the sender nothing about the reason. What `run`
 * gives is the handler's own answer, if it made one, and is given back; unless it is `ok`, the event is as free
 * as after a throw.
 */
export async function receive<E extends { id: string }, T extends { readonly ok: boolean }>(
  delivery: Delivery,
  open: Open,
  run: (event: E, verified: Verified) => Promise<T | undefined>,
  options: HandlerOptions,
): Promise<Answer | T> {
  if (delivery.method !== 'POST') return text(405, 'POST only', { allow: 'POST' })
  const report = options.onError ?? console.error
  let returned: T | undefined
  try {
    const { verified, bytes } = await open(await delivery.readBody(), delivery.headers)
    const event = parseEvent<E>(bytes)
    const proof = { 'x-service-verified': verifiedParts(verified) }
    const fn = async () => {
      returned = await run(event, verified)
      // Whatever dedupe is, it gives back the id of a handler that throws.
      if (returned?.ok === false) throw new Error('not processed')
    }
    const outcome = await (options.dedupe?.(event.id, fn, { body: bytes, onWarning: report }) ?? fn())
    if (outcome?.status === 'in_progress') return text(409, 'in progress', { ...proof, 'retry-after': '5' })
    return returned ?? text(200, 'ok', proof)
  } catch (error) {
    if (returned?.ok === false) return returned
    report(error)
    const status = error instanceof WebhookError ? error.status : 500
    return text(
      status,
      status === 401 ? 'invalid signature' : status < 500 ? 'invalid payload' : 'not processed',
    )
  }
}

/** The value of `X-Service-Verified`: every part name that a configured secret matched, in header order. */
export function verifiedParts(verified: Pick<Verified, 'matches'>): string {
  return [...new Set(verified.matches.map(match => match.partName))].join(',')
}

function text(status: number, line: string, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'content-type': 'text/plain', ...headers }, body: `${line}\n` }
}

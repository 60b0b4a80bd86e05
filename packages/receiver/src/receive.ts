import type { RawBody } from './body-bytes.ts'
import type { Processed } from './process-once.ts'
import { WebhookError } from './errors.ts'
import type { HeaderInput } from './header-line.ts'
import type { Verified } from './judge.ts'
import type { Open, Opened } from './open.ts'
import { parseEvent } from './parse-event.ts'

/** The second argument of a handler. */
export interface HandlerContext<R> {
  readonly request: R
  readonly verified: Verified
}

/** The options of every handler in this package. */
export interface HandlerOptions {
  /** Called if a request was not processed. Defaults to `console.error`. */
  readonly onError?: ((error: unknown) => void) | undefined
  /**
   * Runs the handler once for each event id, even if the event is delivered several times:
   * `dedupe: (id, fn, seen) => processOnce(store, id, fn, seen)`.
   */
  readonly dedupe?:
    | (<T>(id: string, fn: () => Promise<T>, seen: SeenDelivery) => Promise<Processed<T>>)
    | undefined
}

/** What `processOnce` needs to warn of a different body with the same id. */
export interface SeenDelivery {
  readonly body: Uint8Array
  readonly onWarning: (warning: unknown) => void
}

/** A request, independent of any framework. */
export interface Delivery {
  readonly method: string
  readonly headers: HeaderInput
  readBody(): Promise<RawBody>
}

/** A response, independent of any framework. */
export interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

/**
 * Every adapter handles requests with this function: method, body, signature, event, duplicate, handler. Every failed
 * verification gets the same 401, which does not tell the sender why. `run` returns the handler's own response, if there
 * is one. If that response is not `ok`, Posthorn sends the event again, as after a throw.
 */
export async function receive<E extends { id: string }, T extends { readonly ok: boolean }>(
  delivery: Delivery,
  open: Open,
  run: (event: E, verified: Verified, proof: Opened['proof']) => Promise<T | undefined>,
  options: HandlerOptions,
): Promise<Answer | T> {
  if (delivery.method !== 'POST') return text(405, 'POST only', { allow: 'POST' })
  const report = options.onError ?? console.error
  let returned: T | undefined
  try {
    const { verified, bytes, proof } = await open(await delivery.readBody(), delivery.headers)
    const event = parseEvent<E>(bytes)
    const fn = async () => {
      returned = await run(event, verified, proof)
      // `dedupe` releases the id because this throws.
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

function text(status: number, line: string, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'content-type': 'text/plain', ...headers }, body: `${line}\n` }
}

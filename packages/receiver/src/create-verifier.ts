import type { RawBody } from './body-bytes.ts'
import { checkOptions, type VerifierOptions } from './check-options.ts'
import { WebhookVerificationError } from './errors.ts'
import type { WebhookEvent } from './events.ts'
import type { HeaderInput } from './header-line.ts'
import type { Verified } from './judge.ts'
import { opener } from './open.ts'
import { parseEvent } from './parse-event.ts'
import type { HandlerOptions } from './receive.ts'
import { answerRequest, type WebhookHandler } from './to-handler.ts'

/** Verifies that webhooks come from Posthorn and were not changed on the way. */
export interface WebhookVerifier<E extends { id: string; type: string } = WebhookEvent> {
  /** Checks the signature and then the timestamp. Throws `WebhookVerificationError` if either is wrong. */
  readonly verify: (body: RawBody, header: HeaderInput) => Promise<Verified>
  /** Like `verify`, but returns a result. It still throws `WebhookUsageError`. */
  readonly safeVerify: (body: RawBody, header: HeaderInput) => Promise<SafeVerified>
  /** Verifies and then parses. The type of the event may be unknown to this version: see `isKnownEvent`. */
  readonly constructEvent: (body: RawBody, header: HeaderInput) => Promise<E>
  /** Creates a handler for every runtime with `Request` and `Response`: Workers, Deno, Bun and more. */
  readonly toHandler: (
    fn: WebhookHandler<E, Request>,
    options?: HandlerOptions,
  ) => (request: Request) => Promise<Response>
}

/** The result of `safeVerify`. */
export type SafeVerified = ({ ok: true } & Verified) | { ok: false; error: WebhookVerificationError }

/**
 * Creates a verifier. It checks the options at once, so a wrong secret fails at startup and not at the first delivery.
 *
 * @example
 * const verifier = createVerifier({ secrets: [newSecret, oldSecret] })
 * const event = await verifier.constructEvent(await request.arrayBuffer(), request.headers)
 */
export function createVerifier<E extends { id: string; type: string } = WebhookEvent>(
  options: VerifierOptions,
): WebhookVerifier<E> {
  const checked = checkOptions(options)
  const open = opener(checked)
  return {
    async verify(body, header) {
      return (await open(body, header)).verified
    },
    async safeVerify(body, header) {
      try {
        return { ok: true, ...(await open(body, header)).verified }
      } catch (error) {
        if (error instanceof WebhookVerificationError) return { ok: false, error }
        throw error
      }
    },
    async constructEvent(body, header) {
      return parseEvent<E>((await open(body, header)).bytes)
    },
    toHandler(fn, handlerOptions = {}) {
      return request => answerRequest<E>(request, open, fn, checked.maxBodyBytes, handlerOptions)
    },
  }
}

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

/** Proves that webhooks come from Posthorn and were not altered on the way. */
export interface WebhookVerifier<E extends { id: string; type: string } = WebhookEvent> {
  /** Checks the signature and then the time; throws `WebhookVerificationError` when either does not hold. */
  readonly verify: (body: RawBody, header: HeaderInput) => Promise<Verified>
  /** The same with a result instead of an exception. Faults of the program are still thrown. */
  readonly safeVerify: (body: RawBody, header: HeaderInput) => Promise<SafeVerified>
  /** Verifies, and only then parses. A type this version does not know arrives as well; see `isKnownEvent`. */
  readonly constructEvent: (body: RawBody, header: HeaderInput) => Promise<E>
  /** A handler for every runtime with `Request` and `Response`: Workers, Deno, Bun, and more. */
  readonly toHandler: (
    fn: WebhookHandler<E, Request>,
    options?: HandlerOptions,
  ) => (request: Request) => Promise<Response>
}

/** What `safeVerify` gives. */
export type SafeVerified = ({ ok: true } & Verified) | { ok: false; error: WebhookVerificationError }

/**
 * Makes a verifier. Its options are checked here, so that an empty secret stops the start and not a delivery.
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

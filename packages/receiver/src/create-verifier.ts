import { bodyBytes, type RawBody } from './body-bytes.ts'
import { checkOptions, type VerifierOptions } from './check-options.ts'
import { WebhookVerificationError } from './errors.ts'
import type { WebhookEvent } from './events.ts'
import { type HeaderInput, headerLine } from './header-line.ts'
import { judge, type Verified } from './judge.ts'
import { parseEvent } from './parse-event.ts'
import { parseSignatureHeader } from './parse-header.ts'
import type { HandlerOptions } from './receive.ts'
import { answerRequest, type WebhookHandler } from './to-handler.ts'
import { webHmac } from './web-hmac.ts'

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
    fn: WebhookHandler<E>,
    options?: HandlerOptions,
  ) => (request: Request) => Promise<Response>
}

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
  const hmac = webHmac(checked.secrets)

  async function open(
    body: RawBody,
    header: HeaderInput,
  ): Promise<{ verified: Verified; bytes: Uint8Array }> {
    const parsed = parseSignatureHeader(headerLine(header, checked.headerName))
    const prefix = new TextEncoder().encode(`${parsed.timestampText}.`)
    const bytes = bodyBytes(body)
    // A copy: what is parsed later is what was verified, even if the caller's buffer is used again meanwhile.
    const message = new Uint8Array(prefix.length + bytes.length)
    message.set(prefix)
    message.set(bytes, prefix.length)
    return { verified: judge(parsed, await hmac(message), checked), bytes: message.subarray(prefix.length) }
  }

  async function openEvent(body: RawBody, header: HeaderInput): Promise<{ verified: Verified; event: E }> {
    const { verified, bytes } = await open(body, header)
    return { verified, event: asEvent<E>(parseEvent(bytes)) }
  }

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
      return (await openEvent(body, header)).event
    },
    toHandler(fn, handlerOptions = {}) {
      return request => answerRequest(request, openEvent, fn, checked.maxBodyBytes, handlerOptions)
    },
  }
}

/** The signature vouches for the rest of the shape: only Posthorn could have made these bytes. */
function asEvent<E>(event: unknown): E {
  return event as E
}

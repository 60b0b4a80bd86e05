import type { AnyEvent } from './events.ts'
import { signHeader } from './sign-header.ts'

/** How to sign a request and where to send it. */
export interface SignedRequestOptions {
  readonly secret: string | readonly string[]
  readonly url: string
  /** Unix seconds, default now. */
  readonly timestamp?: number | undefined
  /** The beginning of the header names, default `X-Service`. */
  readonly headerPrefix?: string | undefined
}

/**
 * Creates a signed request, as the service sends it. Pass it to your handler or to `fetch`.
 *
 * @example
 * const response = await POST(await signedRequest(sampleEvent('email.bounced'), { secret, url }))
 */
export async function signedRequest(
  event: AnyEvent | { id: string; type: string },
  options: SignedRequestOptions,
): Promise<Request> {
  const prefix = options.headerPrefix ?? 'x-service'
  const body = new TextEncoder().encode(JSON.stringify(event))
  return new Request(options.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Posthorn/test',
      [`${prefix}-signature`]: await signHeader({
        body,
        secrets: options.secret,
        timestamp: options.timestamp,
      }),
      [`${prefix}-event-id`]: event.id,
      [`${prefix}-attempt`]: '1',
    },
    body,
  })
}

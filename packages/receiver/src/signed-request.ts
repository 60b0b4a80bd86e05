import type { AnyEvent } from './events.ts'
import { signHeader } from './sign-header.ts'

/** How to sign a request and where to send it. */
export interface SignedRequestOptions {
  readonly secret: string | readonly string[]
  readonly url: string
  /** Unix seconds, default now. */
  readonly timestamp?: number | undefined
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
  const body = new TextEncoder().encode(JSON.stringify(event))
  return new Request(options.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Posthorn/test',
      'x-service-signature': await signHeader({
        body,
        secrets: options.secret,
        timestamp: options.timestamp,
      }),
      'x-service-event-id': event.id,
      'x-service-attempt': '1',
    },
    body,
  })
}

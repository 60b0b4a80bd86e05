import { WebhookPayloadError, WebhookUsageError } from './errors.ts'

/** Reads the body of a `Request` as bytes, and stops at the limit instead of holding whatever is sent. */
export async function readRequestBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (request.bodyUsed || request.body?.locked === true) {
    throw new WebhookUsageError('body_already_consumed', 'the body of the request was read before', {
      hint: 'do not call request.json() or request.text() first; verification needs the raw body',
    })
  }
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes)
  if (request.body === null) return new Uint8Array()
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw new WebhookPayloadError('body_missing', 'the body ended before it was complete', { cause })
    })
    if (done) return joined(chunks, size)
    size += value.length
    if (size > maxBytes) {
      await reader.cancel()
      throw tooLarge(maxBytes)
    }
    chunks.push(value)
  }
}

/** Reports a body beyond `maxBodyBytes`. */
export function tooLarge(maxBytes: number): WebhookPayloadError {
  return new WebhookPayloadError('payload_too_large', `the body is larger than ${maxBytes} bytes`)
}

/** Puts the chunks of a body together. */
export function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.length
  }
  return whole
}

import { HINT_RAW } from './body-bytes.ts'
import { WebhookPayloadError, WebhookUsageError } from './errors.ts'

/** Reads the body of a `Request` as bytes and stops at the limit. */
export async function readRequestBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (request.bodyUsed || request.body?.locked) {
    throw new WebhookUsageError('body_already_consumed', HINT_RAW)
  }
  if (request.body === null) return new Uint8Array()
  const reader = request.body.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new WebhookPayloadError('body_missing')
    })
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer())
    size += value.length
    if (size > maxBytes) {
      await reader.cancel()
      throw tooLarge()
    }
    chunks.push(value)
  }
}

/** The error for a body that exceeds `maxBodyBytes`. */
export function tooLarge(): WebhookPayloadError {
  return new WebhookPayloadError('payload_too_large')
}

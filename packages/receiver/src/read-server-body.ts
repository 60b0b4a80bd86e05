import { WebhookPayloadError, WebhookUsageError } from './errors.ts'
import { tooLarge } from './read-request-body.ts'
import type { BodyStream, ServerRequest } from './server-request.ts'

/**
 * Returns the body as received: the bytes or text that a parser kept, otherwise the unread stream. If only a parsed
 * object is left, it throws, because the bytes cannot be restored.
 */
export async function readServerBody(request: ServerRequest, maxBytes: number): Promise<Uint8Array | string> {
  const kept = [request.rawBody, request.body]
  const body = kept.find(isBytes) ?? kept.find(value => typeof value === 'string')
  if (body === undefined) {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
    return await readStream(request, maxBytes)
  }
  if (body.length > maxBytes) throw tooLarge()
  return body
}

/** `instanceof` fails for a Buffer from another realm, for example in test runners. */
function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && 'subarray' in value
}

/** Reads a stream of bytes up to the limit. */
export async function readStream(stream: BodyStream, maxBytes: number): Promise<Uint8Array> {
  if (stream.destroyed === true && !stream.readableEnded) throw lost()
  if (!stream.readable || stream.readableEnded) {
    throw new WebhookUsageError(
      'body_already_parsed',
      'mount the webhook before the JSON parser, or let the parser keep the bytes in request.rawBody',
    )
  }
  return await new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0
    const settle = (finish: () => void) => {
      stream.off('data', onData)
      // Discards the rest. The error listener stays, so that no late error is unhandled.
      stream.resume()
      finish()
    }
    const onData = (chunk: unknown) => {
      // The chunk is text if an encoding was set on the stream.
      const bytes = isBytes(chunk) ? chunk : new TextEncoder().encode(String(chunk))
      size += bytes.length
      if (size > maxBytes) settle(() => reject(tooLarge()))
      else chunks.push(bytes)
    }
    const onLoss = () => settle(() => reject(lost()))
    stream.on('data', onData)
    stream.on('end', () => settle(() => resolve(joined(chunks, size))))
    stream.on('error', onLoss)
    stream.on('close', onLoss)
  })
}

function lost(): WebhookPayloadError {
  return new WebhookPayloadError('body_missing', 'the sender closed the connection')
}

/** Joins the chunks of a body. */
function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.length
  }
  return whole
}

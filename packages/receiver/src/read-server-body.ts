import { WebhookPayloadError, WebhookUsageError } from './errors.ts'
import { tooLarge } from './read-request-body.ts'
import type { BodyStream, ServerRequest } from './server-request.ts'

/**
 * The body as it came: from a parser that kept it (bytes before text), else from the stream if nobody has read
 * it yet. A body that only exists as a parsed object cannot be restored, and that is said loudly.
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

/** By shape and not by instanceof: in test runners a Buffer comes from another realm. */
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
      // Whatever else comes is not kept, and an error that comes late has a listener: none is unhandled.
      stream.resume()
      finish()
    }
    const onData = (chunk: unknown) => {
      // Text, when somebody set an encoding on the stream.
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
  return new WebhookPayloadError('body_missing', 'the sender went away')
}

/** Puts the chunks of a body together. */
function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.length
  }
  return whole
}

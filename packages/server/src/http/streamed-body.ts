import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/**
 * Streams the body of a request. If the body is refused, the connection stays open for the error response.
 * @throws AppError `body_too_large`, before reading if the request has a `Content-Length`
 */
export function streamedBody({ raw }: FastifyRequest, bytesMax: number): AsyncIterable<Buffer> {
  if (Number(raw.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
  return read(raw, bytesMax)
}

async function* read(raw: FastifyRequest['raw'], bytesMax: number): AsyncGenerator<Buffer, void> {
  let bytes = 0
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
      const piece = chunk as Buffer
      bytes += piece.length
      if (bytes > bytesMax) throw tooLarge(bytesMax)
      yield piece
    }
  } catch (error) {
    if (error instanceof AppError || raw.complete) throw error
    throw new AppError(
      'malformed_request',
      'The connection closed before the body was complete. Send the request again.',
    )
  } finally {
    // discards the rest, so that the client can finish sending and read the error response
    raw.resume()
  }
}

function tooLarge(bytesMax: number): AppError {
  return new AppError(
    'body_too_large',
    `The body is larger than ${bytesMax} bytes. Send it in several parts.`,
  )
}

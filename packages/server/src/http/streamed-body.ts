import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/**
 * The payload of a request as it arrives. It can be refused in the middle without cutting the connection, on which the
 * refusal is sent.
 * @throws AppError `body_too_large`, at once if the request says its length
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
    throw new AppError('malformed_request', 'The request broke off before its body was complete.')
  } finally {
    // what nobody reads any more would keep the sender from reading the refusal
    raw.resume()
  }
}

function tooLarge(bytesMax: number): AppError {
  return new AppError(
    'body_too_large',
    `The body is larger than ${bytesMax} bytes. Send it in several parts.`,
  )
}

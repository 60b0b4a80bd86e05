import type { Route } from '@posthorn/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { bodyBytesMax } from '../http/create-server.ts'
import { bodyTooLarge } from '../http/problem.ts'
import type { HeldBytes } from './held-bytes.ts'
import { drainedAfter, readUpTo } from './request-body.ts'

/**
 * Reads the whole body of a request that the front must understand.
 * @throws AppError `body_too_large`, `malformed_request`, or `overloaded` if too many bytes are held already
 */
export async function readWholeBody(
  held: HeldBytes,
  route: Pick<Route, 'auth' | 'body'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Buffer> {
  const bytesMax = bodyBytesMax(route)
  const isTooLarge = Number(request.raw.headers['content-length'] ?? 0) > bytesMax
  const { chunks, stopped } = isTooLarge
    ? { chunks: [], stopped: 'too_large' }
    : await readUpTo(bytesMax, held, request, reply)
  if (stopped === null) return Buffer.concat(chunks)
  drainedAfter(request.raw, reply)
  if (stopped === 'too_large') throw bodyTooLarge()
  throw new AppError(
    'overloaded',
    'More large requests arrive than Posthorn can process. Repeat the request after a second.',
  )
}

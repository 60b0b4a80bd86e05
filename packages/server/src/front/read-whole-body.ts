import type { Route } from '@posthorn/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { bodyBytesMax } from '../http/create-server.ts'
import type { HeldBytes } from './held-bytes.ts'
import { keepBody } from './request-body.ts'

/**
 * Reads the whole body of a request that the front must understand.
 * @throws AppError `body_too_large`, or `overloaded` if too many bytes are held already
 */
export async function readWholeBody(
  held: HeldBytes,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Buffer> {
  const bytesMax = bodyBytesMax(route)
  const body = await keepBody(held, route, request, reply, bytesMax)
  if (body === null) return Buffer.alloc(0)
  if (Buffer.isBuffer(body)) return body
  const length = request.raw.headers['content-length']
  if (length !== undefined && Number(length) <= bytesMax) {
    throw new AppError(
      'overloaded',
      'More reports arrive than Posthorn can store. Repeat the request after a second.',
    )
  }
  throw bodyTooLarge()
}

export function bodyTooLarge(): AppError {
  return new AppError(
    'body_too_large',
    'The body is larger than this operation accepts. Send less in one request.',
  )
}

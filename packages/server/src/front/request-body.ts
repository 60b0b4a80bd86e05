import { Readable } from 'node:stream'
import type { Route } from '@posthorn/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { bodyBytesMax } from '../http/create-server.ts'
import type { HeldBytes } from './held-bytes.ts'

/** A larger body is sent on as it arrives, so its request cannot be sent again. */
const keptBytesMax = 4 * 1024 * 1024

/**
 * Reads the body of a request, so that the request can be sent again. The result is a stream if the body is large or the
 * operation takes a stream, and null if there is no body.
 */
export async function keepBody(
  held: HeldBytes,
  route: Pick<Route, 'auth' | 'body'>,
  request: FastifyRequest,
  reply: FastifyReply,
  keptMax = keptBytesMax,
): Promise<Buffer | Readable | null> {
  const { raw } = request
  const length = raw.headers['content-length']
  if (length === undefined && raw.headers['transfer-encoding'] === undefined) return null
  // the shard reads a stream itself, even an empty one
  if (route.body?.isStream === true) return drainedAfter(raw, reply)
  const bytesMax = Math.min(keptMax, bodyBytesMax(route))
  if (Number(length ?? 0) > bytesMax) return drainedAfter(raw, reply)
  const { chunks, stopped } = await readUpTo(bytesMax, held, request, reply)
  return stopped === null ? Buffer.concat(chunks) : joined(chunks, drainedAfter(raw, reply))
}

/**
 * Reads a body until it has ended, is longer than `bytesMax`, or does not fit into memory.
 * @returns what was read, and why it stopped; null if it has read the whole body
 * @throws AppError `malformed_request` if the client disconnects
 */
export async function readUpTo(
  bytesMax: number,
  held: HeldBytes,
  { raw }: FastifyRequest,
  reply: FastifyReply,
): Promise<{ chunks: Buffer[]; stopped: 'too_large' | 'no_memory' | null }> {
  const chunks: Buffer[] = []
  let bytes = 0
  reply.raw.once('close', () => held.release(bytes))
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
      const piece = chunk as Buffer
      chunks.push(piece)
      if (!held.take(piece.length)) return { chunks, stopped: 'no_memory' }
      bytes += piece.length
      if (bytes > bytesMax) return { chunks, stopped: 'too_large' }
    }
  } catch (error) {
    if (raw.complete) throw error
    throw new AppError(
      'malformed_request',
      'The connection closed before the body was complete. Send the request again.',
    )
  }
  return { chunks, stopped: null }
}

/** Lets the client send the rest if it gets the answer before everything was read. */
export function drainedAfter(body: FastifyRequest['raw'], reply: FastifyReply): FastifyRequest['raw'] {
  reply.raw.once('finish', () => body.resume())
  return body
}

/** What was read already, and the rest as it arrives. */
function joined(chunks: readonly Buffer[], rest: FastifyRequest['raw']): Readable {
  const all = async function* (): AsyncGenerator<Buffer, void> {
    yield* chunks
    for await (const chunk of rest.iterator({ destroyOnReturn: false })) yield chunk as Buffer
  }
  return Readable.from(all(), { objectMode: false })
}

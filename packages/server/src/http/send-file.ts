import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ContentEncoding, DashboardFile, EncodedBody } from './dashboard-files.ts'

/** Sends a file, compressed if the client accepts it, or 304 if it has not changed. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: DashboardFile): void {
  const { encoding, body } = chooseBody(file, request.headers['accept-encoding'])
  void reply.headers({
    'cache-control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: body.etag,
    vary: 'accept-encoding',
  })
  if (knows(request.headers['if-none-match'], body.etag)) void reply.code(304).send()
  else sendBody(reply, file.contentType, encoding, body)
}

/** Sends a whole file, even if the client has it in its cache. */
export function sendWhole(request: FastifyRequest, reply: FastifyReply, file: DashboardFile): void {
  const { encoding, body } = chooseBody(file, request.headers['accept-encoding'])
  sendBody(reply.header('vary', 'accept-encoding'), file.contentType, encoding, body)
}

function sendBody(
  reply: FastifyReply,
  contentType: string,
  encoding: ContentEncoding,
  { bytes }: EncodedBody,
): void {
  if (encoding !== 'identity') void reply.header('content-encoding', encoding)
  void reply.header('content-type', contentType).send(bytes)
}

function chooseBody(
  { bodies }: DashboardFile,
  accepted = '',
): { encoding: ContentEncoding; body: EncodedBody } {
  for (const encoding of ['br', 'gzip'] as const) {
    const body = bodies[encoding]
    if (body !== undefined && takes(accepted, encoding)) return { encoding, body }
  }
  return { encoding: 'identity', body: bodies.identity }
}

function takes(accepted: string, encoding: string): boolean {
  return accepted
    .toLowerCase()
    .split(',')
    .map(part => part.replaceAll(/\s/g, ''))
    .some(part => part === encoding || (part.startsWith(`${encoding};`) && !/;q=0(\.0*)?$/.test(part)))
}

function knows(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(',').map(part => part.trim().replace(/^W\//, '')) ?? []
  return known.includes(etag) || known.includes('*')
}

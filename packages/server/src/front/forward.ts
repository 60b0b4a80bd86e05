import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isIP } from 'node:net'
import { ownAddress } from '../http/own-address.ts'
import { rawBody } from '../http/read-request.ts'
import { operatorHeader, writeOperator } from '../domain/vouched-operator.ts'
import type { ShardAnswer } from '../shards/shard-client.ts'
import type { Front } from './front.ts'
import { sendToShard, type ShardCall, type Target } from './send-to-shard.ts'

export interface Forwarded {
  readonly target: Target
  readonly body: Buffer | Readable | null
  /** Replaces that of the request. */
  readonly path?: string
  /** Replace those of the caller. */
  readonly headers?: ShardCall['headers']
  /** Whether the request may be sent again although the shard may have received it. If missing, the method and `Idempotency-Key` decide. */
  readonly isRepeatable?: ShardCall['isRepeatable']
}

/** Sends a request on to a shard, and its answer back as it arrives. */
export async function forward(
  front: Front,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    target,
    body,
    path = request.url,
    headers = callerHeaders(request),
    isRepeatable = isSafeToRepeat(request),
  }: Forwarded,
): Promise<FastifyReply> {
  const answer = await sendToShard(front, target, {
    method: request.method,
    path,
    headers,
    body,
    forwardedFor: clientAddress(front, request),
    isRepeatable,
    signal: goneSignal(reply),
  })
  return sendAnswer(reply, answer)
}

/** Sends a request, whose body was read, to the only shard of an installation: shard 0. */
export async function forwardToOnly(
  front: Front,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  return await forward(front, request, reply, { target: { shard: 0 }, body: rawBody(request) })
}

/**
 * The shard of the caller's account, which alone may answer. A caller without an account goes to shard 0, which answers or
 * refuses the request.
 */
export function targetOfCaller(front: Front, request: FastifyRequest): Target {
  const caller = front.readCaller(request)
  return caller.kind === 'account' ? { account: caller.code } : { shard: 0 }
}

/** The headers of the request as they arrived. Only the front itself says which operator a proxy names. */
export function callerHeaders(request: FastifyRequest): NonNullable<ShardCall['headers']> {
  const { 'content-type': _, [operatorHeader]: _forged, ...headers } = request.headers
  // a credential of its own counts more than the proxy
  const proxied = request.headers.authorization === undefined ? request.proxied : null
  return {
    ...headers,
    ...(request.contentType !== undefined && { 'content-type': request.contentType }),
    ...(proxied !== null && { [operatorHeader]: writeOperator(proxied) }),
  }
}

/** Sends the answer of a shard to the client as it arrives. */
export function sendAnswer(reply: FastifyReply, { status, headers, body }: ShardAnswer): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}

/** The address of the client, which the shard counts failed sign-ins by. */
export function clientAddress({ publicUrl }: Front, request: FastifyRequest): string {
  const isSecure = ownAddress(request, publicUrl())?.isSecure === true
  const forwarded =
    [request.headers['x-forwarded-for'] ?? ''].flat().join(',').split(',').at(-1)?.trim() ?? ''
  return isSecure && isIP(forwarded) !== 0 ? forwarded : request.ip
}

/** Aborts when the client disconnects before it has the answer. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}

/** Whether the method or the `Idempotency-Key` makes it safe to send a request twice. */
export function isSafeToRepeat({ method, headers }: FastifyRequest): boolean {
  return (
    method === 'GET' || method === 'HEAD' || (method === 'POST' && headers['idempotency-key'] !== undefined)
  )
}

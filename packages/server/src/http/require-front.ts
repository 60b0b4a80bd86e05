import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../context.ts'
import { AppError } from '../errors.ts'
import type { NamedKey } from '../seal/named-keys.ts'
import {
  bodyDigest,
  frontHeader,
  type RequestSignature,
  shardHeader,
  signAnswer,
  type SignatureFlaw,
  verifyRequest,
} from '../shards/sign-request.ts'
import { operatorHeader } from '../domain/vouched-operator.ts'
import { bodyTooLarge } from './problem.ts'
import { rawBody } from './read-request.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The front that forwarded the request; null if none did. */
    front: { readonly signature: RequestSignature; readonly body: string } | null
  }
}

export interface FrontDoor {
  readonly keys: readonly NamedKey[]
  readonly clock: Pick<Clock, 'nowMs'>
  /** The number of this shard. */
  readonly shardNumber: () => number
}

/**
 * Makes the process a shard: it accepts only requests that a front has signed, before it reads their bodies, and signs the
 * answers. Load balancers and Prometheus may ask how it is without a signature.
 */
export function requireFront(app: FastifyInstance, { keys, clock, shardNumber }: FrontDoor): void {
  app.addHook('onRequest', (request, reply, done) => {
    const header = request.headers[frontHeader]
    if (header === undefined && isOpen(request)) return done()
    const { method, headers } = request
    const signed = {
      method,
      path: request.raw.url ?? '',
      forwardedFor: String(headers['x-forwarded-for'] ?? ''),
      operator: String(headers[operatorHeader] ?? ''),
    }
    const verified = verifyRequest(header === undefined ? undefined : String(header), signed, {
      keys,
      nowMs: clock.nowMs(),
    })
    if ('flaw' in verified) {
      // before the hook that adds it to every answer
      void reply.header('x-content-type-options', 'nosniff')
      return done(new AppError('unauthorized', advice[verified.flaw]))
    }
    request.front = verified
    done()
  })
  app.addHook('preParsing', (request, _reply, payload, done) => {
    // Fastify would close the connection while the front still sends, and the answer could be lost
    const isTooLarge = Number(request.headers['content-length'] ?? 0) > request.routeOptions.bodyLimit
    if (request.front !== null && isTooLarge) done(bodyTooLarge())
    else done(null, payload)
  })
  app.addHook('preHandler', (request, _reply, done) => {
    const { front } = request
    if (front === null || front.body === 'stream' || hasBody(request, front.body)) return done()
    // the answer is not signed, so that the front does not take it for one to its caller
    request.front = null
    done(new AppError('unauthorized', advice.wrong))
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const { front } = request
    if (front !== null) {
      void reply.header(shardHeader, signAnswer(front.signature, reply.statusCode, shardNumber()))
    }
    done(null, payload)
  })
}

/** A body that the handler reads itself must be signed as a stream. */
function hasBody(request: FastifyRequest, digest: string): boolean {
  const isRead = request.body === undefined || Buffer.isBuffer(request.body)
  return isRead && bodyDigest(rawBody(request)) === digest
}

function isOpen({ method, url }: FastifyRequest): boolean {
  const [path = ''] = url.split('?')
  return (method === 'GET' || method === 'HEAD') && openPaths.has(path)
}

const openPaths = new Set(['/healthz', '/readyz', '/metrics'])

const advice: Readonly<Record<SignatureFlaw, string>> = {
  missing: 'This process is a shard and answers only fronts. Send the request to the public URL instead.',
  malformed: 'The signature of the front is malformed. Run the same version on fronts and shards.',
  unknown_key: 'The front signs with a key that this shard does not have. Add it to POSTHORN_SHARD_KEYS.',
  wrong: 'The signature of the front is wrong. Use the same POSTHORN_SHARD_KEYS on fronts and shards.',
  stale: 'The clocks of the front and of this shard differ by more than 60 seconds. Synchronize them.',
}

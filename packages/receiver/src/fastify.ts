/**
 * Receives webhooks in Fastify 5.
 *
 * @module
 */
import type { AdapterOptions, EventHandler } from './adapter-options.ts'
import { checkOptions } from './check-options.ts'
import type { WebhookEvent } from './events.ts'
import { opener } from './open.ts'
import { readStream } from './read-server-body.ts'
import { receive } from './receive.ts'
import type { BodyStream, ServerRequest } from './server-request.ts'

export type { AdapterOptions, EventHandler } from './adapter-options.ts'

/** The part of a Fastify request that the plugin needs. */
export interface FastifyRequestLike {
  readonly method: string
  readonly raw: ServerRequest
}

/** The part of a Fastify reply that the plugin needs. */
export interface FastifyReplyLike {
  code(status: number): unknown
  headers(headers: Record<string, string>): unknown
  send(body: string): unknown
}

/** The part of a Fastify route that the plugin needs. */
export interface FastifyRouteLike {
  method: string[]
  url: string
  preParsing: (request: FastifyRequestLike, reply: FastifyReplyLike, payload: BodyStream) => Promise<unknown>
  handler: () => Promise<unknown>
}

/** The part of a Fastify instance that the plugin needs. */
export interface FastifyLike {
  route(route: FastifyRouteLike): unknown
}

// Fastify adds HEAD with GET.
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * A plugin with one route. It answers before Fastify parses the body, so it needs no content type parser and does not
 * change the parsers of other routes.
 *
 * @example
 * import fastify from 'fastify'
 *
 * const app = fastify()
 * await app.register(createFastifyPlugin({ path: '/hooks', secrets: secret }, updateContact))
 */
export function createFastifyPlugin<E extends { id: string; type: string } = WebhookEvent>(
  options: AdapterOptions & { readonly path: string },
  fn: EventHandler<FastifyRequestLike, E>,
): (instance: FastifyLike) => Promise<void> {
  const checked = checkOptions(options)
  const open = opener(checked)

  async function answer(request: FastifyRequestLike, reply: FastifyReplyLike, payload: BodyStream) {
    const delivery = {
      method: request.method,
      headers: request.raw.headersDistinct ?? request.raw.headers,
      // Not the request, because an earlier hook may have replaced the payload with a decompressed stream.
      readBody: () => readStream(payload, checked.maxBodyBytes),
    }
    const { status, headers, body } = await receive<E, never>(
      delivery,
      open,
      async (event: E, verified) => void (await fn(event, { request, verified })),
      options,
    )
    reply.code(status)
    reply.headers(status === 413 ? { ...headers, connection: 'close' } : headers)
    return reply.send(body)
  }

  return async instance => {
    instance.route({
      method: METHODS,
      url: options.path,
      preParsing: answer,
      // Never called, because the response was already sent.
      handler: async () => undefined,
    })
  }
}

/**
 * Receives webhooks in Hono.
 *
 * @module
 */
import type { AdapterOptions } from './adapter-options.ts'
import { checkOptions } from './check-options.ts'
import type { WebhookEvent } from './events.ts'
import { type Opened, opener } from './open.ts'
import { readRequestBody, tooLarge } from './read-request-body.ts'
import { receive } from './receive.ts'
import { ownAnswer, toResponse, type WebhookHandler } from './to-handler.ts'

export type { AdapterOptions } from './adapter-options.ts'
export type { WebhookHandler } from './to-handler.ts'

/** The part of a Hono context that the handler needs. */
export interface HonoContextLike {
  readonly req: { readonly raw: Request; arrayBuffer(): Promise<ArrayBuffer> }
}

/**
 * A handler for Hono.
 *
 * @example
 * import { Hono } from 'hono'
 *
 * const app = new Hono()
 * app.all('/hooks', createHonoHandler({ secrets: secret }, updateContact))
 */
export function createHonoHandler<
  E extends { id: string; type: string } = WebhookEvent,
  C extends HonoContextLike = HonoContextLike,
>(options: AdapterOptions, fn: WebhookHandler<E, C>): (context: C) => Promise<Response> {
  const checked = checkOptions(options)
  const open = opener(checked)
  return async context => {
    const { raw } = context.req
    const delivery = {
      method: raw.method,
      headers: raw.headers,
      readBody: () => readBody(context, checked.maxBodyBytes),
    }
    const run = async (event: E, verified: Opened['verified'], proof: Opened['proof']) =>
      ownAnswer(await fn(event, { request: context, verified }), proof)
    return toResponse(await receive(delivery, open, run, options))
  }
}

async function readBody({ req }: HonoContextLike, maxBytes: number): Promise<Uint8Array> {
  if (!req.raw.bodyUsed) return await readRequestBody(req.raw, maxBytes)
  // A middleware has read the body, and Hono caches it.
  const bytes = new Uint8Array(await req.arrayBuffer())
  if (bytes.length > maxBytes) throw tooLarge()
  return bytes
}

/**
 * Receives webhooks in Express 4 and 5.
 *
 * @module
 */
import type { AdapterOptions, EventHandler } from './adapter-options.ts'
import type { WebhookEvent } from './events.ts'
import { createNodeHandler } from './node-handler.ts'
import type { ServerRequest, ServerResponse } from './server-request.ts'

export type { AdapterOptions, EventHandler } from './adapter-options.ts'

/**
 * A route handler for Express. Mount it before `express.json()`. If you mount it after, let the parser keep the bytes:
 * `express.json({ verify: (request, _response, bytes) => { request.rawBody = bytes } })`.
 *
 * @example
 * import express from 'express'
 *
 * const app = express()
 * app.all('/hooks', createExpressHandler({ secrets: secret }, updateContact))
 */
export function createExpressHandler<
  E extends { id: string; type: string } = WebhookEvent,
  R extends ServerRequest = ServerRequest,
>(options: AdapterOptions, fn: EventHandler<R, E>): (request: R, response: ServerResponse) => Promise<void> {
  return createNodeHandler(options, fn)
}

/**
 * Receives webhooks in Next.js, with the App Router or the Pages Router.
 *
 * @module
 */
import type { AdapterOptions, EventHandler } from './adapter-options.ts'
import { createVerifier } from './create-verifier.ts'
import type { WebhookEvent } from './events.ts'
import { createNodeHandler } from './node-handler.ts'
import type { ServerRequest, ServerResponse } from './server-request.ts'
import type { WebhookHandler } from './to-handler.ts'

export type { AdapterOptions, EventHandler } from './adapter-options.ts'
export type { WebhookHandler } from './to-handler.ts'

/**
 * A route handler for the App Router.
 *
 * @example
 * // app/hooks/route.ts
 * export const POST = createNextHandler({ secrets: secret }, updateContact)
 */
export function createNextHandler<E extends { id: string; type: string } = WebhookEvent>(
  options: AdapterOptions,
  fn: WebhookHandler<E, Request>,
): (request: Request) => Promise<Response> {
  return createVerifier<E>(options).toHandler(fn, options)
}

/**
 * An API route for the Pages Router. The same file must turn off the body parser.
 *
 * @example
 * // pages/api/hooks.ts
 * export const config = { api: { bodyParser: false } }
 * export default createNextPagesHandler({ secrets: secret }, updateContact)
 */
export function createNextPagesHandler<
  E extends { id: string; type: string } = WebhookEvent,
  R extends ServerRequest = ServerRequest,
>(options: AdapterOptions, fn: EventHandler<R, E>): (request: R, response: ServerResponse) => Promise<void> {
  return createNodeHandler(options, fn)
}

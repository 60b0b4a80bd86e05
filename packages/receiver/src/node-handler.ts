import type { AdapterOptions, EventHandler } from './adapter-options.ts'
import { checkOptions } from './check-options.ts'
import type { WebhookEvent } from './events.ts'
import { opener } from './open.ts'
import { readServerBody } from './read-server-body.ts'
import { receive } from './receive.ts'
import type { ServerRequest, ServerResponse } from './server-request.ts'

/**
 * A handler for Node's HTTP server and frameworks built on it. It reads the body itself, or uses the bytes that a parser
 * kept in `rawBody` or `body`. Your function may send its own response. Then the event counts as processed only if the
 * status is 2xx.
 *
 * @example
 * import { createServer } from 'node:http'
 *
 * createServer(createNodeHandler({ secrets: secret }, updateContact)).listen(3000)
 */
export function createNodeHandler<
  E extends { id: string; type: string } = WebhookEvent,
  R extends ServerRequest = ServerRequest,
>(options: AdapterOptions, fn: EventHandler<R, E>): (request: R, response: ServerResponse) => Promise<void> {
  const checked = checkOptions(options)
  const open = opener(checked)
  return async (request, response) => {
    const delivery = {
      method: request.method ?? '',
      // Node drops or joins repeated headers in `headers`, but not in `headersDistinct`.
      headers: request.headersDistinct ?? request.headers,
      readBody: () => readServerBody(request, checked.maxBodyBytes),
    }
    const answer = await receive(
      delivery,
      open,
      async (event: E, verified) => {
        await fn(event, { request, verified })
        return ownAnswer(response)
      },
      options,
    )
    if ('ok' in answer || response.headersSent === true) return
    response.statusCode = answer.status
    for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value)
    // Do not wait for the rest of a body that is too large.
    if (answer.status === 413) response.setHeader('connection', 'close')
    response.end(answer.body)
  }
}

/** The status that the handler sent itself, if it did. */
function ownAnswer({ headersSent, statusCode }: ServerResponse): { ok: boolean } | undefined {
  return headersSent === true ? { ok: statusCode >= 200 && statusCode < 300 } : undefined
}

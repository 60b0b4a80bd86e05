import type { Open, Opened } from './open.ts'
import { readRequestBody } from './read-request-body.ts'
import { type Answer, type HandlerContext, type HandlerOptions, receive } from './receive.ts'

/**
 * Processes an event. If it returns a `Response`, that is the response. Otherwise, the response is 200. If the status is
 * not 2xx, or if it throws, Posthorn sends the event again.
 */
export type WebhookHandler<E, R> = (
  event: E,
  context: HandlerContext<R>,
) => void | Response | Promise<void | Response>

/** Answers one `Request` and adds `X-Service-Verified` to the handler's response. */
export async function answerRequest<E extends { id: string }>(
  request: Request,
  open: Open,
  fn: WebhookHandler<E, Request>,
  maxBodyBytes: number,
  options: HandlerOptions,
): Promise<Response> {
  const delivery = {
    method: request.method,
    headers: request.headers,
    readBody: () => readRequestBody(request, maxBodyBytes),
  }
  return toResponse(
    await receive(
      delivery,
      open,
      async (event: E, verified, proof) => ownAnswer(await fn(event, { request, verified }), proof),
      options,
    ),
  )
}

/** The handler's own response with `X-Service-Verified` added, or undefined if there is none. */
export function ownAnswer(returned: unknown, proof: Opened['proof']): Response | undefined {
  if (!(returned instanceof Response)) return undefined
  // Copied, because the headers of a fetched or redirected response are immutable.
  const response = new Response(returned.body, returned)
  for (const name in proof) response.headers.set(name, proof[name] ?? '')
  return response
}

/** Converts an answer into a `Response`. */
export function toResponse(answer: Answer | Response): Response {
  return answer instanceof Response ? answer : new Response(answer.body, answer)
}

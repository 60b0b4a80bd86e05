import type { Open } from './open.ts'
import { readRequestBody } from './read-request-body.ts'
import { type Answer, type HandlerContext, type HandlerOptions, receive } from './receive.ts'

/** What to do with an event. A `Response` that it returns is the answer; else the answer is 200. */
export type WebhookHandler<E, R> = (
  event: E,
  context: HandlerContext<R>,
) => void | Response | Promise<void | Response>

/** Answers one `Request`; what the handler returns goes out with the proof of verification added. */
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
      async (event: E, verified) => await fn(event, { request, verified }),
      options,
    ),
  )
}

/** Puts an answer into the web's shape. */
export function toResponse(answer: Answer<void | Response>): Response {
  if (!(answer.returned instanceof Response)) return new Response(answer.body, answer)
  // A copy, because the headers of a response that was fetched or redirected cannot be changed.
  const response = new Response(answer.returned.body, answer.returned)
  response.headers.set('x-service-verified', answer.headers['x-service-verified'] ?? '')
  return response
}

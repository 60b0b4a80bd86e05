import { type HandlerContext, type HandlerOptions, type OpenEvent, receive } from './receive.ts'
import { readRequestBody } from './read-request-body.ts'

/** What to do with an event; what it returns, if anything, is the answer. */
export type WebhookHandler<E> = (
  event: E,
  context: HandlerContext<Request>,
) => void | Response | Promise<void | Response>

/** Answers one `Request`; what the handler returns goes out with the proof of verification added. */
export async function answerRequest<E extends { id: string }>(
  request: Request,
  open: OpenEvent<E>,
  fn: WebhookHandler<E>,
  maxBodyBytes: number,
  options: HandlerOptions,
): Promise<Response> {
  const delivery = {
    method: request.method,
    headers: request.headers,
    readBody: () => readRequestBody(request, maxBodyBytes),
  }
  const answer = await receive(
    delivery,
    open,
    async (event, verified) => await fn(event, { request, verified }),
    options,
  )
  if (!(answer.returned instanceof Response)) return new Response(answer.body, answer)
  // A copy, because the headers of a response that was fetched or redirected cannot be changed.
  const response = new Response(answer.returned.body, answer.returned)
  response.headers.set('x-service-verified', answer.headers['x-service-verified'] ?? '')
  return response
}

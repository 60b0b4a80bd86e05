import type { Verified } from './judge.ts'
import type { Open } from './open.ts'
import { readRequestBody } from './read-request-body.ts'
import { type Answer, type HandlerContext, type HandlerOptions, receive, verifiedParts } from './receive.ts'

/**
 * What to do with an event. A `Response` that it returns is the answer; else the answer is 200. One that is not
 * 2xx leaves the event free, as a throw does: Posthorn sends it again.
 */
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
      async (event: E, verified) => ownAnswer(await fn(event, { request, verified }), verified),
      options,
    ),
  )
}

/** What a handler returned, if it is an answer, with the proof of verification added. */
export function ownAnswer(returned: unknown, verified: Verified): Response | undefined {
  if (!(returned instanceof Response)) return undefined
  // A copy, because the headers of a response that was fetched or redirected cannot be changed.
  const response = new Response(returned.body, returned)
  response.headers.set('x-service-verified', verifiedParts(verified))
  return response
}

/** Puts an answer into the web's shape. */
export function toResponse(answer: Answer | Response): Response {
  return answer instanceof Response ? answer : new Response(answer.body, answer)
}

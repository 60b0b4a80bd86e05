import type { Route } from '@posthorn/contract'
import type { FastifyRequest } from 'fastify'
import { forward, isSafeToRepeat, targetOfCaller } from './forward.ts'
import type { Front } from './front.ts'
import { keepBody } from './request-body.ts'
import type { Handler } from './serve-route.ts'

/**
 * Serves the report of an account, which reports only for itself: its shard gets it unchanged. A caller without a valid
 * credential is refused by shard 0.
 *
 * @param isRepeatable whether it may be sent again although the shard may have stored it
 */
export function forwardOwnReport(
  front: Front,
  route: Route,
  isRepeatable: (request: FastifyRequest, body: Buffer) => boolean,
): Handler {
  return async (request, reply) => {
    const body = await keepBody(front.held, route, request, reply)
    let known: boolean | undefined
    return await forward(front, request, reply, {
      target: targetOfCaller(front, request),
      body,
      // only a failure needs to know, because reading a report is expensive
      isRepeatable: () =>
        (known ??= isSafeToRepeat(request) || (Buffer.isBuffer(body) && isRepeatable(request, body))),
    })
  }
}

import type { Route } from '@posthorn/contract'
import { forward } from './forward.ts'
import type { Front } from './front.ts'
import { keepBody } from './request-body.ts'
import type { Handler } from './serve-route.ts'

/** Serves a report of an account at its shard. */
export function forwardReport(front: Front, route: Route): Handler {
  return async (request, reply) => {
    const caller = front.readCaller(request)
    const body = await keepBody(front.held, route, request, reply)
    const target = caller.kind === 'account' ? { account: caller.code } : { shard: 0 }
    return await forward(front, request, reply, { target, body })
  }
}

import type { Route } from '@posthorn/contract'
import { validationFailed } from '../http/field-errors.ts'
import { readInput } from '../http/read-request.ts'
import { enterAsOperator } from './enter-as-operator.ts'
import { callerHeaders, forward } from './forward.ts'
import type { Front } from './front.ts'
import { keepBody } from './request-body.ts'
import type { Handler } from './serve-route.ts'

/**
 * Serves an operation of the operator at the shard that the query names, or at the only one. The shard itself does not know
 * this parameter.
 */
export function serveShard(front: Front, route: Route): Handler {
  return async (request, reply) => {
    const caller = front.readCaller(request)
    const body = await keepBody(front.held, route, request, reply)
    if (caller.kind === 'account' || caller.kind === 'nobody') {
      // the shard refuses them
      const target = caller.kind === 'account' ? { account: caller.code } : { shard: 0 }
      return await forward(front, request, reply, { target, body })
    }
    const headers =
      caller.kind === 'operator'
        ? callerHeaders(request)
        : await enterAsOperator(front, request, caller.presented)
    request.body = body
    const numbers = [...front.shards.keys()]
    const only = numbers.length === 1 ? numbers[0] : undefined
    const { shard = only } = readInput(route, request).query as { shard?: number }
    if (shard === undefined || !front.shards.has(shard)) {
      throw validationFailed([
        { path: '/shard', message: `must be the number of a shard: ${numbers.join(', ')}` },
      ])
    }
    const [path = ''] = request.url.split('?')
    return await forward(front, request, reply, { target: { shard }, body, path, headers })
  }
}

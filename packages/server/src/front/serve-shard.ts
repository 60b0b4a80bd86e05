import type { Route } from '@posthorn/contract'
import { validationFailed } from '../http/field-errors.ts'
import { readInput } from '../http/read-request.ts'
import { forward, targetOfCaller } from './forward.ts'
import type { Front } from './front.ts'
import { operatorHeaders } from './operator-headers.ts'
import { keepBody } from './request-body.ts'
import type { Handler } from './serve-route.ts'

/**
 * Serves an operation of the operator at the shard that the query names, or at the only one. The shard itself does not know
 * this parameter.
 */
export function serveShard(front: Front, route: Route): Handler {
  return async (request, reply) => {
    const body = await keepBody(front.held, route, request, reply)
    const headers = await operatorHeaders(front, request, route)
    if (headers === null) {
      // the shard refuses the caller
      return await forward(front, request, reply, { target: targetOfCaller(front, request), body })
    }
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

import { routes } from '@posthorn/contract'
import { readInput } from '../http/read-request.ts'
import { validationFailed } from '../http/field-errors.ts'
import { askAllShards } from './ask-all-shards.ts'
import { forwardToOnly } from './forward.ts'
import type { Front } from './front.ts'
import { mergeHealth } from './merge-health.ts'
import { mergeSystem } from './merge-system.ts'
import { operatorHeaders } from './operator-headers.ts'
import { shardUnavailable } from './shard-errors.ts'
import type { Handler } from './serve-route.ts'

/** Serves what the operator sees of the installation, over all shards. The only shard of an installation answers by itself. */
export function mergedSystem(front: Front): Record<string, Handler> {
  return {
    [routes.getSystem.operationId]: async (request, reply) => {
      if (front.shards.size === 1 && !Object.hasOwn(request.query as object, 'shard')) {
        return await forwardToOnly(front, request, reply)
      }
      const headers = (await operatorHeaders(front, request, routes.getSystem)) ?? {}
      const { shard = null } = readInput(routes.getSystem, request).query as { shard?: number }
      if (shard !== null && !front.shards.has(shard)) {
        const numbers = [...front.shards.keys()].join(', ')
        throw validationFailed([{ path: '/shard', message: `must be the number of a shard: ${numbers}` }])
      }
      const replies = await askAllShards(front, { path: '/v1/system', headers })
      const system = mergeSystem(replies, shard)
      if (system === null) throw shardUnavailable(shard ?? 0)
      return await reply.header('cache-control', 'no-store').send(system)
    },

    [routes.getSystemHealth.operationId]: async (request, reply) => {
      if (front.shards.size === 1) return await forwardToOnly(front, request, reply)
      const headers = (await operatorHeaders(front, request, routes.getSystemHealth)) ?? {}
      readInput(routes.getSystemHealth, request)
      const health = mergeHealth(await askAllShards(front, { path: '/v1/system/health', headers }))
      if (health === null) throw shardUnavailable(0)
      return await reply.header('cache-control', 'no-store').send(health)
    },
  }
}

import type { Page, Route } from '@posthorn/contract'
import { mergeLists } from '../domain/merge-lists.ts'
import type { IdPrefix } from '../domain/type-id.ts'
import { readInput } from '../http/read-request.ts'
import { askAllShards } from './ask-all-shards.ts'
import { forwardToOnly } from './forward.ts'
import type { Front } from './front.ts'
import { operatorHeaders } from './operator-headers.ts'
import type { Handler } from './serve-route.ts'
import { shardUnavailable } from './shard-errors.ts'

/**
 * Serves a list of the operator that covers all shards. The answer names the shards that do not respond. The only shard of an
 * installation answers by itself.
 *
 * @param prefix of the ids in the list, which is ordered by id
 */
export function mergedList(front: Front, route: Route, prefix: IdPrefix): Handler {
  return async (request, reply) => {
    if (front.shards.size === 1) return await forwardToOnly(front, request, reply)
    const headers = (await operatorHeaders(front, request, route)) ?? {}
    const { limit } = readInput(route, request).query as { limit: number }
    const replies = await askAllShards(front, { path: request.url, headers })
    const pages = replies.flatMap(({ answer }) =>
      answer === null ? [] : [answer.body as Page<{ id: string }>],
    )
    if (pages.length === 0) throw shardUnavailable(replies[0]?.shard ?? 0)
    const unavailable = replies.flatMap(({ shard, answer }) => (answer === null ? [shard] : []))
    const merged = mergeLists(pages, limit, prefix)
    return await reply
      .header('cache-control', 'no-store')
      .send({ ...merged, ...(unavailable.length > 0 && { unavailable_shards: unavailable }) })
  }
}

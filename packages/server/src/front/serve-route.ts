import { Readable } from 'node:stream'
import type { Route } from '@posthorn/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bodyTooLarge } from '../http/problem.ts'
import { readJson } from '../http/read-json.ts'
import { enterAsOperator } from './enter-as-operator.ts'
import { forward } from './forward.ts'
import type { Front } from './front.ts'
import { readWholeBody } from './read-whole-body.ts'
import { keepBody } from './request-body.ts'
import { type DecidedRule, type Destination, routeRequest } from './route-request.ts'
import type { Target } from './send-to-shard.ts'

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/**
 * Serves an operation at the shard that its rule says.
 *
 * @param onAll serves it if the rule says all shards
 */
export function serveRoute(
  front: Front,
  route: Route & { readonly front: DecidedRule },
  onAll?: Handler,
): Handler {
  return async (request, reply) => {
    const caller = front.readCaller(request)
    const isPublic = route.auth === 'public'
    const isRead = isRoutedByBody(route) && (isPublic || caller.kind !== 'account')
    const body = isRead
      ? await readWholeBody(front.held, route, request, reply)
      : await keepBody(front.held, route, request, reply)
    const destination = routeRequest(route.front, {
      caller,
      isPublic,
      id: idOf(route, request),
      query: request.query,
      body: isRead && Buffer.isBuffer(body) ? jsonOf(body) : undefined,
    })
    if (destination === 'all_shards') {
      if (onAll === undefined) throw new Error(`no handler serves ${route.operationId} at all shards`)
      if (body instanceof Readable) throw bodyTooLarge()
      request.body = body
      return await onAll(request, reply)
    }
    const target = targetOf(destination)
    // only shard 0 knows the sessions and named tokens of operators, so other shards get the operator token
    const isNamed = !isPublic && caller.kind === 'named_operator' && 'account' in target
    const headers = isNamed ? await enterAsOperator(front, request, route, caller.presented) : undefined
    return await forward(front, request, reply, { target, body, ...(headers !== undefined && { headers }) })
  }
}

function targetOf(destination: Exclude<Destination, 'all_shards'>): Target {
  return destination === 'shard_0' ? { shard: 0 } : destination
}

function idOf(
  { params }: Route,
  request: FastifyRequest,
): { prefix: NonNullable<Route['params']>[string]; text: string } | null {
  const prefix = params?.['id']
  return prefix === undefined ? null : { prefix, text: (request.params as { id: string }).id }
}

/** Whether the body says where the request of somebody without an account goes. */
function isRoutedByBody({ front }: Route): boolean {
  return front === 'account_in_body' || front === 'credential_in_body'
}

/** Undefined for a body that is not JSON: shard 0 refuses it. */
function jsonOf(body: Buffer): unknown {
  try {
    return readJson(body.toString(), { complaint: '' })
  } catch {
    return undefined
  }
}

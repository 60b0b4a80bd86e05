import { Readable } from 'node:stream'
import type { Route } from '@posthorn/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { readJson } from '../http/read-json.ts'
import { enterAsOperator } from './enter-as-operator.ts'
import { forward } from './forward.ts'
import type { Front } from './front.ts'
import type { FrontCaller } from './front-caller.ts'
import { bodyTooLarge } from './read-whole-body.ts'
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
    const body = await keepBody(front.held, route, request, reply)
    const destination = routeRequest(route.front, {
      caller,
      isPublic,
      id: idOf(route, request),
      query: request.query,
      body: readsBody(route) && Buffer.isBuffer(body) ? jsonOf(body) : undefined,
    })
    if (destination === 'all_shards') {
      if (body instanceof Readable) throw bodyTooLarge()
      request.body = body
      return await (onAll ?? unserved)(request, reply)
    }
    const target = targetOf(destination)
    return await forward(front, request, reply, {
      target,
      body,
      ...(!isPublic && (await operatorHeaders(front, caller, target, request))),
    })
  }
}

function targetOf(destination: Exclude<Destination, 'all_shards'>): Target {
  return destination === 'shard_0' ? { shard: 0 } : destination
}

/** Only shard 0 knows the sessions of the operator, so other shards get the operator token. */
async function operatorHeaders(
  front: Front,
  caller: FrontCaller,
  target: Target,
  request: FastifyRequest,
): Promise<Pick<Parameters<typeof forward>[3], 'headers'>> {
  if (caller.kind !== 'operator_session' || 'shard' in target) return {}
  return { headers: await enterAsOperator(front, request, caller.presented) }
}

function idOf(
  { params }: Route,
  request: FastifyRequest,
): { prefix: NonNullable<Route['params']>[string]; text: string } | null {
  const prefix = params?.['id']
  return prefix === undefined ? null : { prefix, text: (request.params as { id: string }).id }
}

function readsBody({ front }: Route): boolean {
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

async function unserved(): Promise<never> {
  return await Promise.reject(
    new AppError('not_found', 'A front cannot answer this without an account. Set account_id.'),
  )
}

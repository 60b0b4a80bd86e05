import type { Route } from '@posthorn/contract'
import type { FastifyRequest } from 'fastify'
import { enterAsOperator } from './enter-as-operator.ts'
import { callerHeaders } from './forward.ts'
import type { Front } from './front.ts'
import type { ShardCall } from './send-to-shard.ts'

/**
 * The headers with which the request of an operator goes to any shard; null if the caller is not an operator. Only shard 0
 * knows sessions and named tokens of operators, so they become the operator token.
 * @throws AppError `unauthorized`, `insufficient_role`, `csrf_failed`, `https_required`
 */
export async function operatorHeaders(
  front: Front,
  request: FastifyRequest,
  route: Pick<Route, 'role'>,
): Promise<NonNullable<ShardCall['headers']> | null> {
  const caller = front.readCaller(request)
  if (caller.kind === 'named_operator') return await enterAsOperator(front, request, route, caller.presented)
  return caller.kind === 'operator' ? callerHeaders(request) : null
}

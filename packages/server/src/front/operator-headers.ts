import type { FastifyRequest } from 'fastify'
import { enterAsOperator } from './enter-as-operator.ts'
import { callerHeaders } from './forward.ts'
import type { Front } from './front.ts'
import type { ShardCall } from './send-to-shard.ts'

/**
 * The headers with which the request of an operator goes to any shard; null if the caller is not the operator. Only shard 0
 * knows the operator's sessions, so a session becomes the operator token.
 * @throws AppError `unauthorized`, `csrf_failed`, `https_required`
 */
export async function operatorHeaders(
  front: Front,
  request: FastifyRequest,
): Promise<NonNullable<ShardCall['headers']> | null> {
  const caller = front.readCaller(request)
  if (caller.kind === 'operator_session') return await enterAsOperator(front, request, caller.presented)
  return caller.kind === 'operator' ? callerHeaders(request) : null
}

import type { Problem, Route } from '@posthorn/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { checkRole } from '../http/caller.ts'
import { checkCsrf } from '../http/check-csrf.ts'
import type { PresentedCredential } from '../http/presented-credential.ts'
import { operatorHere } from '../shards/internal-api.ts'
import { operatorHeader, writeOperator } from '../domain/vouched-operator.ts'
import { callerHeaders, clientAddress } from './forward.ts'
import type { Front } from './front.ts'
import { readAnswer } from './read-answer.ts'
import { shardUnavailable } from './shard-errors.ts'
import { sendToShard, type ShardCall } from './send-to-shard.ts'

/**
 * Asks shard 0 who has a session or a named token, and checks the request as the shard would. Asks each time, so that a
 * sign-out has effect at once.
 *
 * @returns the headers for another shard: those of the request, with the operator token and the name of the operator
 * @throws AppError `unauthorized`, `insufficient_role`, `csrf_failed`, `https_required`
 */
export async function enterAsOperator(
  front: Front,
  request: FastifyRequest,
  { role }: Pick<Route, 'role'>,
  { text: token, isCookie }: PresentedCredential,
): Promise<NonNullable<ShardCall['headers']>> {
  const { cookie, 'x-csrf-token': _, ...headers } = callerHeaders(request)
  const answer = await sendToShard(
    front,
    { shard: 0 },
    {
      method: 'GET',
      path: '/internal/operator',
      headers: {
        host: headers.host,
        ...(isCookie ? { cookie } : { authorization: headers.authorization }),
        ...(operatorHeader in headers && { [operatorHeader]: headers[operatorHeader] }),
      },
      forwardedFor: clientAddress(front, request),
      isRepeatable: true,
    },
  )
  const found = await readAnswer(answer)
  if (answer.status >= 500) throw shardUnavailable(0)
  if (answer.status !== 200) {
    throw new AppError('unauthorized', (found as Problem).detail)
  }
  const person = operatorHere.parse(found)
  checkCsrf(request, { token, isCookie }, front.publicUrl())
  checkRole(role, person)
  return {
    ...headers,
    authorization: `Bearer ${front.operatorToken}`,
    [operatorHeader]: writeOperator(person),
  }
}

import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { checkCsrf } from '../http/check-csrf.ts'
import type { PresentedCredential } from '../http/presented-credential.ts'
import { callerHeaders, clientAddress } from './forward.ts'
import type { Front } from './front.ts'
import { readAnswer } from './read-answer.ts'
import { shardUnavailable } from './shard-errors.ts'
import { sendToShard, type ShardCall } from './send-to-shard.ts'

/**
 * Asks shard 0 whether a session of the operator is valid, and checks the request as the shard would. Asks each time, so that
 * a sign-out has effect at once.
 *
 * @returns the headers for another shard: those of the request, with the operator token instead of the session
 * @throws AppError `unauthorized`, `csrf_failed`, `https_required`
 */
export async function enterAsOperator(
  front: Front,
  request: FastifyRequest,
  { text: token, isCookie }: PresentedCredential,
): Promise<NonNullable<ShardCall['headers']>> {
  const { cookie, 'x-csrf-token': _, ...headers } = callerHeaders(request)
  const answer = await sendToShard(
    front,
    { shard: 0 },
    {
      method: 'GET',
      path: '/v1/session',
      headers: { host: headers.host, ...(isCookie ? { cookie } : { authorization: headers.authorization }) },
      forwardedFor: clientAddress(front, request),
      isRepeatable: true,
    },
  )
  const session = (await readAnswer(answer)) as { kind?: string }
  if (answer.status >= 500) throw shardUnavailable(0)
  if (answer.status !== 200 || session.kind !== 'operator') {
    throw new AppError('unauthorized', 'Your session ended. Sign in again.')
  }
  checkCsrf(request, { token, isCookie }, front.publicUrl())
  return { ...headers, authorization: `Bearer ${front.operatorToken}` }
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readMailToken } from '../domain/mail-token.ts'
import { streaming } from '../http/create-server.ts'
import { forward } from './forward.ts'
import type { Front } from './front.ts'
import { keepBody } from './request-body.ts'
import type { Target } from './send-to-shard.ts'

/** Serves the unsubscribe links in emails at the shard of the account that sent the email. */
export function forwardUnsubscribe(app: FastifyInstance, front: Front): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const body = await keepBody(front.held, { auth: 'public' }, request, reply)
    const { '*': token } = request.params as { '*': string }
    // unsubscribing or undoing it twice changes nothing
    return await forward(front, request, reply, { target: mailTarget(token), body, isRepeatable: true })
  }
  const method = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  void app.register(streaming({ method, url: '/u/*', handler }))
}

/** The shard for a token in a mail. Shard 0 refuses what is none. */
export function mailTarget(text: string): Target {
  const [token = ''] = text.split('.')
  const read = readMailToken(token)
  return read === null ? { shard: 0 } : { account: read.token.keyNumber }
}

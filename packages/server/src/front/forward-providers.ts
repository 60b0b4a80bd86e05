import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { codeOfCredential } from '../domain/account-code.ts'
import { streaming } from '../http/create-server.ts'
import { providerUrls } from '../http/serve-providers.ts'
import { forward } from './forward.ts'
import type { Front } from './front.ts'
import { keepBody } from './request-body.ts'

/** Serves the webhooks of mail providers at the shard of the account that the token in the URL names. */
export function forwardProviders(app: FastifyInstance, front: Front): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { token } = request.query as { token?: unknown }
    const code = typeof token === 'string' ? codeOfCredential(token) : null
    const body = await keepBody(front.held, { auth: 'public' }, request, reply)
    // shard 0 refuses a token that names no account
    const target = code === null ? { shard: 0 } : { account: code }
    // a report that arrives twice is a duplicate
    return await forward(front, request, reply, { target, body, isRepeatable: true })
  }
  for (const [, url] of providerUrls) void app.register(streaming({ method: 'POST', url, handler }))
}

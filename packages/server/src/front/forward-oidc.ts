import type { FastifyInstance } from 'fastify'
import { oidcPaths } from '../domain/oidc-paths.ts'
import { forward } from './forward.ts'
import type { Front } from './front.ts'

/** Lets shard 0, which has the sessions of operators, sign them in by OpenID Connect. */
export function forwardOidc(app: FastifyInstance, front: Front): void {
  for (const url of Object.values(oidcPaths)) {
    // a code works once
    const options = { target: { shard: 0 }, body: null, isRepeatable: false } as const
    app.get(url, { exposeHeadRoute: false }, async (request, reply) => {
      return await forward(front, request, reply, options)
    })
  }
}

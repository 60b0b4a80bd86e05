import type { SignInProblem } from '@posthorn/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { oidcPaths } from '../domain/oidc-paths.ts'
import { sessionLimits } from '../domain/session-limits.ts'
import { AppError } from '../errors.ts'
import { openOperatorSession } from '../sessions/open-operator-session.ts'
import { actorOf } from './caller.ts'
import { type Oidc, OidcFailure } from './oidc.ts'
import { clearedOidcCookie, oidcCookie, readOidcCookie } from './oidc-cookie.ts'
import { isProxied } from './own-address.ts'
import { sessionCookie } from './session-cookie.ts'
import { WrongSecretLimit } from './wrong-secret-limit.ts'

export interface OidcOptions {
  readonly ctx: Ctx
  readonly operatorToken: string
  readonly oidc: Oidc
  readonly log: { warn(fields: object, message: string): void }
}

/** Failed sign-ins from one address. Each may ask the provider. */
const failuresPerMinute = 20

/**
 * Serves the sign-in of operators by OpenID Connect: the authorization code flow with PKCE. A browser opens these URLs, so each
 * answer is a redirect. After a failure, the sign-in page says why.
 */
export function serveOidc(app: FastifyInstance, options: OidcOptions): void {
  const { ctx, oidc, log } = options
  const limit = new WrongSecretLimit(failuresPerMinute, ctx.clock)
  const serve = (
    url: string,
    sign: (request: FastifyRequest, reply: FastifyReply) => Promise<string>,
  ): void => {
    // a HEAD request would use up the code
    app.get(url, { exposeHeadRoute: false }, async (request, reply) => {
      const isSecure = isProxied(ctx.outside.publicUrl())
      void reply.header('cache-control', 'no-store')
      try {
        const location = await limit.attempt(request, isSecure, async () => await sign(request, reply))
        return await reply.redirect(location, 302)
      } catch (error) {
        const problem = problemOf(error)
        // not the whole error, because its cause may contain tokens
        const fields = { request_id: request.id, problem, reason: (error as Error).message }
        if (problem !== 'rate_limited') log.warn(fields, 'an operator could not sign in by OpenID Connect')
        return await reply.redirect(`/sign-in?problem=${problem}`, 302)
      }
    })
  }

  serve(oidcPaths.start, async (_request, reply) => {
    const secret = () => Buffer.from(ctx.random.bytes(32)).toString('base64url')
    const secrets = { state: secret(), nonce: secret(), verifier: secret() }
    const { href } = await oidc.begin(redirectUri(ctx), secrets)
    void reply.header('set-cookie', oidcCookie(ctx, secrets))
    return href
  })

  serve(oidcPaths.callback, async (request, reply) => {
    const secrets = readOidcCookie(ctx, request)
    void reply.header('set-cookie', clearedOidcCookie(ctx))
    const { search, searchParams } = new URL(request.url, redirectUri(ctx))
    if (secrets === null || secrets.state !== searchParams.get('state')) throw new OidcFailure('oidc_expired')
    const person = await oidc.finish(new URL(`${redirectUri(ctx)}${search}`), secrets)
    if (person === null) throw new OidcFailure('oidc_not_listed')
    request.caller = { kind: 'operator', tokenId: null, ...person }
    const actor = actorOf(request)
    const opened = await openOperatorSession(
      { ...ctx, actor },
      { ...person, tokenId: null },
      options.operatorToken,
    )
    const own = { origin: '', isSecure: isProxied(ctx.outside.publicUrl()) }
    void reply.header('set-cookie', sessionCookie(own, opened, sessionLimits.operator.absoluteMs / 1_000))
    return '/'
  })
}

function redirectUri({ outside }: Ctx): string {
  return `${outside.publicUrl()}${oidcPaths.callback}`
}

function problemOf(error: unknown): SignInProblem {
  if (error instanceof OidcFailure) return error.problem
  return error instanceof AppError && error.code === 'rate_limited' ? 'rate_limited' : 'sign_in_failed'
}

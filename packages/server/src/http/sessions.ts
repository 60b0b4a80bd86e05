import {
  type ExchangedSession,
  type PortalExchange,
  type Route,
  routes,
  type Session,
  type SessionCreate,
} from '@posthorn/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { AppError } from '../errors.ts'
import { endSession } from '../sessions/end-session.ts'
import { exchangePortalSession } from '../sessions/exchange-portal-session.ts'
import { findSession } from '../sessions/find-session.ts'
import { openAccountSession } from '../sessions/open-account-session.ts'
import { openOperatorSession } from '../sessions/open-operator-session.ts'
import { toSession } from '../sessions/to-session.ts'
import type { Authenticator } from './authenticate.ts'
import { actorOf, type CallerSession, type KeyHolder, type Operator } from './caller.ts'
import type { Oidc } from './oidc.ts'
import { type OwnAddress, ownAddress, requireOwnAddress } from './own-address.ts'
import { readInput, readParams } from './read-request.ts'
import { clearedSessionCookie, sessionCookie } from './session-cookie.ts'
import { WrongSecretLimit } from './wrong-secret-limit.ts'

export interface SessionOptions {
  readonly ctx: Ctx
  readonly operatorToken: string
  readonly authenticator: Authenticator
  readonly oidc?: Pick<Oidc, 'host'> | null
  readonly version: string
}

/** Wrong secrets from one address: enough for a person, and too few to guess one. */
const signInsPerMinute = 20

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Serves sign-in, sign-out and portal links, which all set cookies. */
export function serveSessions(options: SessionOptions): Record<string, Handler> {
  const { ctx, operatorToken, authenticator } = options
  const limit = new WrongSecretLimit(signInsPerMinute, ctx.clock)
  const signIns = { ctx, limit }

  return {
    [routes.createSession.operationId]: async (request, reply) => {
      const { own, body } = readSignIn<SessionCreate>(routes.createSession, request, signIns)
      const token = await limit.attempt(request, own.isSecure, async () => {
        const caller = await authenticator.identify(body.credential)
        return await openSession(ctx, request, caller, operatorToken)
      })
      const session = await describe(options, { token, bearer: false })
      setCookie(reply, own, token, session, ctx)
      return await reply.code(201).header('cache-control', 'no-store').send(session)
    },

    [routes.getProxyOperator.operationId]: async (request, reply) => {
      readInput(routes.getProxyOperator, request)
      const { proxied } = request
      const operator = proxied && { name: proxied.name, role: proxied.role }
      return await reply
        .header('cache-control', 'no-store')
        .send({ operator, oidc_host: options.oidc?.host ?? null })
    },

    [routes.createProxySession.operationId]: async (request, reply) => {
      const own = requireOwnAddress(request, ctx.outside.publicUrl())
      readInput(routes.createProxySession, request)
      const { proxied } = request
      if (proxied === null) {
        const why =
          'No trusted proxy says that you are an operator. Sign in with a token, or ask the operator.'
        throw new AppError('unauthorized', why)
      }
      const caller = { kind: 'operator', tokenId: null, ...proxied } as const
      const token = await openSession(ctx, request, caller, operatorToken)
      const session = await describe(options, { token, bearer: false })
      setCookie(reply, own, token, session, ctx)
      return await reply.code(201).header('cache-control', 'no-store').send(session)
    },

    [routes.getSession.operationId]: async (request, reply) => {
      readInput(routes.getSession, request)
      const { live, token } = sessionOf(request)
      const session = toSession(live, token, {
        ...ctx.settings,
        version: options.version,
      })
      return await reply.header('cache-control', 'no-store').send(session)
    },

    [routes.deleteSession.operationId]: async (request, reply) => {
      readInput(routes.deleteSession, request)
      const { live, isCookie } = sessionOf(request)
      await endSession(ctx, live)
      const own = ownAddress(request, ctx.outside.publicUrl())
      if (isCookie && own !== null) void reply.header('set-cookie', clearedSessionCookie(own))
      return await reply.code(204).send()
    },

    [routes.exchangePortalSession.operationId]: async (request, reply) => {
      const { own, body } = readSignIn<PortalExchange>(routes.exchangePortalSession, request, signIns)
      const { id = '' } = readParams(routes.exchangePortalSession, request)
      const bearer = body.embedded
      const token = await limit.attempt(
        request,
        own.isSecure,
        async () => await exchangePortalSession(ctx, { id, linkToken: body.token, bearer }),
      )
      const session = await describe(options, { token, bearer })
      if (!bearer) setCookie(reply, own, token, session, ctx)
      const answer: ExchangedSession = { ...session, access_token: bearer ? token : null }
      return await reply.header('cache-control', 'no-store').send(answer)
    },
  }
}

/** Checks the origin first, so that another site learns nothing. */
function readSignIn<Body>(
  route: Route,
  request: FastifyRequest,
  { ctx }: { ctx: Ctx },
): { own: OwnAddress; body: Body } {
  const own = requireOwnAddress(request, ctx.outside.publicUrl())
  return { own, body: readInput(route, request).body as Body }
}

async function openSession(
  ctx: Ctx,
  request: FastifyRequest,
  caller: Operator | KeyHolder,
  operatorToken: string,
): Promise<string> {
  request.caller = caller
  if (caller.kind === 'key') return await openAccountSession(ctx, caller)
  return await openOperatorSession({ ...ctx, actor: actorOf(request) }, caller, operatorToken)
}

async function describe(
  { ctx, operatorToken, version }: SessionOptions,
  presented: { token: string; bearer: boolean },
): Promise<Session> {
  const live = await findSession(ctx, presented, operatorToken)
  if (live === undefined)
    throw new AppError(
      'unauthorized',
      'The credential expired or was revoked while you signed in. Use another one.',
    )
  return toSession(live, presented.token, { ...ctx.settings, version })
}

function setCookie(
  reply: FastifyReply,
  own: OwnAddress,
  token: string,
  { expires_at }: Session,
  { clock }: Ctx,
): void {
  const maxAgeSeconds = (Date.parse(expires_at) - clock.nowMs()) / 1_000
  void reply.header('set-cookie', sessionCookie(own, token, maxAgeSeconds))
}

function sessionOf({ caller }: FastifyRequest): CallerSession {
  if (caller?.session === undefined) throw new AppError('unauthorized', 'Sign in first.')
  return caller.session
}

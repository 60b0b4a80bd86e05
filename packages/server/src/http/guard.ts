import type { Route } from '@posthorn/contract'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Ctx } from '../context.ts'
import { isSessionToken } from '../domain/session-token.ts'
import { AppError } from '../errors.ts'
import type { Authenticator } from './authenticate.ts'
import { adminCaller, type Caller, checkAccess } from './caller.ts'
import { checkCsrf } from './check-csrf.ts'
import { enterBySession } from './enter-by-session.ts'
import { presentedCredential } from './presented-credential.ts'
import type { Oidc } from './oidc.ts'
import { RateLimit } from './rate-limit.ts'
import { operatorHeader, readOperator } from '../domain/vouched-operator.ts'

export interface GuardOptions {
  readonly ctx: Ctx
  readonly operatorToken: string
  readonly authenticator: Authenticator
  /** If missing, no OpenID provider signs anybody in. */
  readonly oidc?: Pick<Oidc, 'people'> | null
  /** Requests per second for each account. 0 turns the limit off. */
  readonly rateLimitPerSecond: number
}

export type Guard = onRequestHookHandler

/** Checks the caller and their access before the body is read. */
export function createGuard(options: GuardOptions): (route: Pick<Route, 'auth' | 'role'>) => Guard {
  const { ctx } = options
  const rateLimit = new RateLimit(options.rateLimitPerSecond, ctx.clock)

  return route => {
    const { auth } = route
    if (auth === 'public') return (_request, _reply, done) => done()
    const admit = (caller: Caller, request: FastifyRequest, reply: FastifyReply): void => {
      if (caller.session !== undefined) checkCsrf(request, caller.session, ctx.outside.publicUrl())
      checkAccess(route, caller)
      // outcome reports are limited by database capacity instead
      if (auth !== 'operator_or_ingest') countRequest(rateLimit, caller, reply)
      request.caller = caller
    }
    return (request, reply, done) => {
      const caller = callerOf(request, options)
      if (caller instanceof Promise) {
        void callBack(
          caller.then(found => admit(found, request, reply)),
          done,
        )
        return
      }
      // avoids a promise if the credential is known
      admit(caller, request, reply)
      done()
    }
  }
}

/** Passes the result of a promise to a callback. */
async function callBack(promise: Promise<void>, done: (error?: Error) => void): Promise<void> {
  try {
    await promise
  } catch (error) {
    done(error as Error)
    return
  }
  done()
}

/** Uses the `Authorization` header, or the session cookie if there is none. */
function callerOf(
  request: FastifyRequest,
  { ctx, operatorToken, authenticator, oidc }: GuardOptions,
): Caller | Promise<Caller> {
  const presented = presentedCredential(request)
  if (presented === null) {
    throw new AppError('unauthorized', 'Send a credential as `Authorization: Bearer <credential>`.')
  }
  const { text, isCookie } = presented
  const isOfSession = isCookie || (isSessionToken(text) && !authenticator.isOperator(text))
  if (!isOfSession) return vouchedFor(request, authenticator.identify(text))
  const { proxied } = request
  const session = { token: text, isCookie, proxied, oidcPeople: oidc?.people ?? null }
  return enterBySession(ctx, session, operatorToken)
}

/** A front sends the requests of every operator with the operator token, and says whose they are. */
function vouchedFor(
  { front, headers }: FastifyRequest,
  caller: Caller | Promise<Caller>,
): Caller | Promise<Caller> {
  if (front === null || caller !== adminCaller) return caller
  const person = readOperator(headers[operatorHeader])
  return person === null ? caller : { kind: 'operator', tokenId: null, ...person }
}

/**
 * The keys of an account share one count, because customers create keys themselves. A portal session has a count of its
 * own, so that a program does not slow down the page. The operator has no limit.
 */
function countRequest(rateLimit: RateLimit, caller: Caller, reply: FastifyReply): void {
  if (caller.kind === 'key') rateLimit.take(caller.accountId, reply)
  if (caller.kind === 'portal') rateLimit.take(caller.portalSessionId, reply)
}

import type { Ctx } from '../context.ts'
import { type OperatorPeople, roleOf } from '../domain/operator-people.ts'
import type { OperatorPerson } from '../domain/operator-person.ts'
import { AppError } from '../errors.ts'
import { findSession, type LiveSession } from '../sessions/find-session.ts'
import { askRecently } from './ask-recently.ts'
import type { Caller } from './caller.ts'

export interface PresentedToken {
  readonly token: string
  /** A cookie, not a bearer token. */
  readonly isCookie: boolean
  /** The operator that a trusted proxy names. */
  readonly proxied: OperatorPerson | null
  /** The people that an OpenID provider may sign in; null without one. */
  readonly oidcPeople: OperatorPeople | null
}

/**
 * Finds the caller of a session. It queries the database for each request, so that every process notices a sign-out at
 * once.
 * @throws AppError `unauthorized` if the session has ended
 */
export async function enterBySession(
  ctx: Ctx,
  presented: PresentedToken,
  operatorToken: string,
): Promise<Caller> {
  const { token, isCookie } = presented
  const { answer: live } = await askRecently(
    ctx.clock,
    async () => await findSession(ctx, { token, bearer: !isCookie }, operatorToken),
  )
  const current = live && underLists(live, presented)
  if (current === undefined) throw new AppError('unauthorized', 'Your session ended. Sign in again.')
  return callerOf(current, { token, isCookie })
}

/**
 * A session that a proxy opened needs the same name in each request. Such a session, and one that an OpenID provider opened,
 * has the role that this person has now.
 */
function underLists(
  live: LiveSession,
  { proxied, oidcPeople }: Pick<PresentedToken, 'proxied' | 'oidcPeople'>,
): LiveSession | undefined {
  const { operator } = live
  if (operator?.method !== 'proxy' && operator?.method !== 'oidc') return live
  const named = proxied?.name === operator.name ? proxied.role : null
  const role = operator.method === 'proxy' ? named : oidcPeople && roleOf(oidcPeople, operator.name)
  return role === null ? undefined : { ...live, operator: { ...operator, role } }
}

function callerOf(live: LiveSession, presented: { token: string; isCookie: boolean }): Caller {
  const { accountId, scopes } = live
  const session = { live, ...presented }
  if (live.operator !== null) return { kind: 'operator', ...live.operator, session }
  return live.apiKeyId === null
    ? { kind: 'portal', accountId, portalSessionId: live.id, scopes, session }
    : { kind: 'key', accountId, keyId: live.apiKeyId, scopes, session }
}

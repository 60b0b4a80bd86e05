import type { Ctx } from '../context.ts'
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
}

/**
 * Finds the caller of a session. It queries the database for each request, so that every process notices a sign-out at
 * once.
 * @throws AppError `unauthorized` if the session has ended
 */
export async function enterBySession(
  ctx: Ctx,
  { token, isCookie, proxied }: PresentedToken,
  operatorToken: string,
): Promise<Caller> {
  const { answer: live } = await askRecently(
    ctx.clock,
    async () => await findSession(ctx, { token, bearer: !isCookie }, operatorToken),
  )
  const current = live && underProxy(live, proxied)
  if (current === undefined) throw new AppError('unauthorized', 'Your session ended. Sign in again.')
  return callerOf(current, { token, isCookie })
}

/** A session that a proxy opened needs the same name in each request, and has the role that this person has now. */
function underProxy(live: LiveSession, proxied: OperatorPerson | null): LiveSession | undefined {
  const { operator } = live
  if (operator?.method !== 'proxy') return live
  if (proxied?.name !== operator.name) return undefined
  return { ...live, operator: { ...operator, role: proxied.role } }
}

function callerOf(live: LiveSession, presented: { token: string; isCookie: boolean }): Caller {
  const { accountId, scopes } = live
  const session = { live, ...presented }
  if (live.operator !== null) return { kind: 'operator', ...live.operator, session }
  return live.apiKeyId === null
    ? { kind: 'portal', accountId, portalSessionId: live.id, scopes, session }
    : { kind: 'key', accountId, keyId: live.apiKeyId, scopes, session }
}

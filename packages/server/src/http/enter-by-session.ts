import type { Ctx } from '../context.ts'
import { AppError } from '../errors.ts'
import { findSession, type LiveSession } from '../sessions/find-session.ts'
import { askRecently } from './ask-recently.ts'
import type { Caller } from './caller.ts'

export interface PresentedToken {
  readonly token: string
  /** A cookie, not a bearer token. */
  readonly isCookie: boolean
}

/**
 * Finds the caller of a session. It queries the database for each request, so that every process notices a sign-out at
 * once.
 * @throws AppError `unauthorized` if the session has ended
 */
export async function enterBySession(
  ctx: Ctx,
  { token, isCookie }: PresentedToken,
  operatorToken: string,
): Promise<Caller> {
  const { answer: live } = await askRecently(
    ctx.clock,
    async () => await findSession(ctx, { token, bearer: !isCookie }, operatorToken),
  )
  if (live === undefined) throw new AppError('unauthorized', 'Your session ended. Sign in again.')
  return callerOf(live, { token, isCookie })
}

function callerOf(live: LiveSession, presented: PresentedToken): Caller {
  const { accountId, scopes } = live
  const session = { live, ...presented }
  if (live.operator !== null) return { kind: 'operator', ...live.operator, session }
  return live.apiKeyId === null
    ? { kind: 'portal', accountId, portalSessionId: live.id, scopes, session }
    : { kind: 'key', accountId, keyId: live.apiKeyId, scopes, session }
}

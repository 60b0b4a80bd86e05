import type { Ctx } from '../context.ts'
import { accountCode } from '../domain/account-code.ts'
import { sessionLimits } from '../domain/session-limits.ts'
import { makeSessionToken } from '../domain/session-token.ts'
import { newId } from '../new-id.ts'
import { insertSession } from './insert-session.ts'

/** Signs in with an API key that was already checked. Returns the session's token. */
export async function openAccountSession(
  ctx: Ctx,
  { accountId, keyId }: { accountId: string; keyId: string },
): Promise<string> {
  const token = makeSessionToken(accountCode(accountId), length => ctx.random.bytes(length))
  await insertSession(ctx, {
    kind: 'account',
    accountId,
    id: newId(ctx),
    token,
    bearer: false,
    apiKeyId: keyId,
    expiresAtMs: ctx.clock.nowMs() + sessionLimits.account.absoluteMs,
  })
  return token
}

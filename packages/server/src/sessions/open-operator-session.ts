import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { accountCode } from '../domain/account-code.ts'
import { operatorId } from '../domain/operator-id.ts'
import { sessionLimits } from '../domain/session-limits.ts'
import { makeSessionToken } from '../domain/session-token.ts'
import { typeId } from '../domain/type-id.ts'
import type { OperatorPerson } from '../domain/operator-person.ts'
import { newId } from '../new-id.ts'
import { insertSession } from './insert-session.ts'
import { operatorProof } from './operator-proof.ts'

/** Signs an operator in and records it in the audit log of the installation. Returns the session's token. */
export async function openOperatorSession(
  ctx: Ctx,
  person: OperatorPerson & { tokenId: string | null },
  operatorToken: string,
): Promise<string> {
  const token = makeSessionToken(accountCode(operatorId), length => ctx.random.bytes(length))
  const id = newId(ctx)
  const expiresAtMs = ctx.clock.nowMs() + sessionLimits.operator.absoluteMs
  await ctx.db.transaction(async tx => {
    const within = { ...ctx, db: tx }
    await insertSession(within, {
      kind: 'operator',
      accountId: operatorId,
      id,
      token,
      bearer: false,
      operator: person,
      ...(person.method === 'admin_token' && { operatorProof: operatorProof(token, operatorToken) }),
      expiresAtMs,
    })
    const target = typeId('ses', id)
    const after = { id: target, expires_at: new Date(expiresAtMs).toISOString() }
    await recordChange(within, {
      accountId: operatorId,
      action: 'operator.signed_in',
      target,
      before: null,
      after,
    })
  })
  return token
}

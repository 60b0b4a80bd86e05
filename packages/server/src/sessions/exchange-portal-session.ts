import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { accountCode } from '../domain/account-code.ts'
import { makeSessionToken } from '../domain/session-token.ts'
import { AppError, accountMoving } from '../errors.ts'
import { insertSession, sessionTokenHash } from './insert-session.ts'

/**
 * Exchanges the secret of a portal link for a session, once. Returns the session's token.
 * @param bearer whether the session is in a frame, where cookies may not work
 * @throws AppError `portal_link_ended`, also for a link that does not exist; `account_moving`
 */
export async function exchangePortalSession(
  ctx: Ctx,
  { id, linkToken, bearer }: { id: string; linkToken: string; bearer: boolean },
): Promise<string> {
  return await ctx.db.transaction(async tx => {
    const { accountId, expiresAt } = await takeLink(tx, id, linkToken, ctx.clock.nowMs())
    const token = makeSessionToken(accountCode(accountId), length => ctx.random.bytes(length))
    const session = {
      kind: 'portal',
      accountId,
      id,
      token,
      bearer,
      expiresAtMs: expiresAt.getTime(),
    } as const
    await insertSession({ ...ctx, db: tx }, session)
    return token
  })
}

async function takeLink(
  tx: Queryable,
  id: string,
  linkToken: string,
  nowMs: number,
): Promise<{ accountId: string; expiresAt: Date }> {
  const [row] = await tx.query<{ accountId: string; expiresAt: Date }>(
    // a second request waits for the row lock, and then finds the link exchanged
    `update portal_session p set exchanged_at = $3::timestamptz
     from account a
     where p.id = $1 and p.link_hash = $2
       and p.exchanged_at is null and p.revoked_at is null and p.expires_at > $3::timestamptz
       and a.id = p.account_id and a.deleted_at is null
     returning p.account_id as "accountId", p.expires_at as "expiresAt"`,
    [id, sessionTokenHash(linkToken), new Date(nowMs).toISOString()],
  )
  if (row !== undefined) return row
  const away = await tx.query(
    `select 1 as one from portal_session p join account_move m on m.account_id = p.account_id
     where p.id = $1 and p.link_hash = $2 and not exists (select from account a where a.id = p.account_id)`,
    [id, sessionTokenHash(linkToken)],
  )
  if (away.length > 0) throw accountMoving()
  throw new AppError(
    'portal_link_ended',
    'This link was used already, has expired, or is incomplete. Get a new link from the place where you got this one.',
  )
}

import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { endSession } from './end-session.ts'
import { type PortalSessionRow, portalSessionColumns, toPortalSession } from './portal-session-row.ts'

/** Revokes a link and its session. Revoking it again changes nothing and writes no second audit entry. */
export async function revokePortalSession(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.transaction(async tx => {
    const row = await lockPortalSession(tx, id)
    if (row.revoked_at !== null) return
    const revokedAt = new Date(ctx.clock.nowMs())
    await tx.query(
      'update portal_session set revoked_at = $3::timestamptz where account_id = $1 and id = $2',
      [row.account_id, row.id, revokedAt.toISOString()],
    )
    await endSession({ db: tx }, { accountId: row.account_id, id: row.id })
    const before = toPortalSession(row)
    const after = { ...before, revoked_at: revokedAt.toISOString() }
    const change = { action: 'portal_session.revoked', target: after.id, before, after } as const
    await recordChange({ ...ctx, db: tx }, { accountId: row.account_id, ...change })
  })
}

async function lockPortalSession(tx: Queryable, id: string): Promise<PortalSessionRow> {
  const [row] = await tx.query<PortalSessionRow>(
    `select ${portalSessionColumns} from portal_session p where p.id = $1 for no key update`,
    [id],
  )
  if (row === undefined) throw new AppError('not_found', 'This portal session does not exist.')
  return row
}

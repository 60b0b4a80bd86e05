import type { Page, PortalSession, PortalSessionQuery } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { parseTypeId } from '../domain/type-id.ts'
import { idCursor, toPage } from '../page.ts'
import { type PortalSessionRow, portalSessionColumns, toPortalSession } from './portal-session-row.ts'

/** The portal sessions of one account, or of all, newest first. */
export async function listPortalSessions(ctx: Ctx, input: PortalSessionQuery): Promise<Page<PortalSession>> {
  const accountId = input.account_id === undefined ? null : parseTypeId('acct', input.account_id)
  const rows = await ctx.db.query<PortalSessionRow>(
    `select ${portalSessionColumns} from portal_session p
     where ($1::uuid is null or p.account_id = $1) and ($2::uuid is null or p.id < $2)
     order by p.id desc limit $3`,
    [accountId, idCursor(input.cursor), input.limit + 1],
  )
  return toPage(rows, input.limit, row => row.id, toPortalSession)
}

import type { Ctx } from '../context.ts'

/**
 * The settings of the page for a portal link, also if the link has expired, because the page says so itself. Undefined if
 * the link does not exist.
 */
export async function findPortalPage(
  ctx: Pick<Ctx, 'db'>,
  portalSessionId: string,
): Promise<{ allowedOrigins: string[]; logoUrl: string | null } | undefined> {
  const [row] = await ctx.db.query<{ allowedOrigins: string[]; logoUrl: string | null }>(
    `select p.allowed_origins as "allowedOrigins", p.logo_url as "logoUrl"
     from portal_session p join account a on a.id = p.account_id and a.deleted_at is null
     where p.id = $1`,
    [portalSessionId],
  )
  return row
}

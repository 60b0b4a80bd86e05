import type { Branding } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { senderName } from '../domain/sender-name.ts'
import { type BrandingRow, brandingColumns, toBranding } from './get-branding.ts'

/**
 * How the sender of an email appears to its recipient. Without a name in the branding, the name is that of the From field;
 * null after the email's record was deleted. The name of the account is only between the customer and the operator.
 */
export async function findSender(
  ctx: Pick<Ctx, 'db'>,
  { accountId, emailId }: { readonly accountId: string; readonly emailId: string },
): Promise<Branding> {
  const [row] = await ctx.db.query<BrandingRow & { from_address: string | null }>(
    `select ${brandingColumns}, m.from_address
     from account a left join email m on m.account_id = a.id and m.id = $2
     where a.id = $1`,
    [accountId, emailId],
  )
  // an account that was just deleted
  if (row === undefined) return { name: null, color: null, logo: null }
  const branding = toBranding(row)
  return {
    ...branding,
    name: branding.name ?? (row.from_address === null ? null : senderName(row.from_address)),
  }
}

import type { Ctx } from '../context.ts'
import { typeId } from '../domain/type-id.ts'
import type { MailRecipient } from '../mail/read-mail-token.ts'
import { findAddressMac } from './address-mac.ts'
import { isRecent } from './find-unsubscription.ts'
import { liftLocked } from './lift-suppression.ts'
import { type SuppressionRow, suppressionColumns } from './row.ts'

/**
 * Lifts the given suppressions, if the recipient made them with this email and not long ago. It skips all others and those
 * that are already lifted, so repeating it changes nothing. It stores no event: only the audit log tells.
 *
 * @param recipient from a genuine token
 * @param suppressionIds UUIDs
 */
export async function undoUnsubscription(
  ctx: Pick<Ctx, 'db' | 'seal' | 'clock' | 'random' | 'actor'>,
  { accountId, emailId, address }: Pick<MailRecipient, 'accountId' | 'emailId' | 'address'>,
  suppressionIds: readonly string[],
): Promise<void> {
  const mac = await findAddressMac(ctx, accountId)
  if (mac === null) return
  await ctx.db.transaction(async tx => {
    const rows = await tx.query<SuppressionRow>(
      // in key order, so that two of these cannot deadlock
      `select ${suppressionColumns} from suppression s
       where s.account_id = $1 and s.id = any($2::uuid[]) and s.address_mac = $3 and s.email_id = $4
         and s.by_recipient and s.lifted_at is null
       order by s.id for update`,
      [accountId, suppressionIds, mac(address), typeId('em', emailId)],
    )
    for (const row of rows) {
      if (isRecent(row.id, ctx.clock.nowMs())) await liftLocked({ ...ctx, db: tx }, accountId, row)
    }
  })
}

import type { NoticeEmail, NoticeEmailPut } from '@posthorn/contract'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { normalEmailAddress } from '../domain/email-address.ts'
import { AppError } from '../errors.ts'
import { lockAccount } from './lock-account.ts'
import { noticeEmailTarget, readNoticeEmail } from './notice-email.ts'

/**
 * Sets the account's address for notices. Refused if this installation cannot send them, so that nobody relies on
 * them.
 */
export async function putNoticeEmail(
  ctx: Ctx,
  accountId: string,
  input: NoticeEmailPut,
): Promise<NoticeEmail> {
  if (ctx.settings.noticesFrom === null) {
    throw new AppError(
      'sending_not_configured',
      'This installation cannot send notices by email. The operator must set POSTHORN_SMTP_URL and POSTHORN_NOTICES_FROM.',
    )
  }
  const after = { address: normalEmailAddress(input.address) }
  await ctx.db.transaction(async tx => {
    const ctxOfTx = { ...ctx, db: tx }
    await lockAccount(tx, accountId)
    const before = await readNoticeEmail(ctxOfTx, accountId)
    await tx.query('update account set notice_address = $2 where id = $1', [accountId, after.address])
    const change = { target: noticeEmailTarget, before, after }
    await recordChange(ctxOfTx, { accountId, action: 'notice_email.set', ...change })
  })
  return after
}

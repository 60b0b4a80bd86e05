import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { lockAccount } from './lock-account.ts'
import { noticeEmailNotFound, noticeEmailTarget, readNoticeEmail } from './notice-email.ts'

/** Stops notices by email. */
export async function deleteNoticeEmail(ctx: Ctx, accountId: string): Promise<void> {
  await ctx.db.transaction(async tx => {
    const ctxOfTx = { ...ctx, db: tx }
    await lockAccount(tx, accountId)
    const before = await readNoticeEmail(ctxOfTx, accountId)
    if (before === null) throw noticeEmailNotFound()
    await tx.query('update account set notice_address = null where id = $1', [accountId])
    const change = { target: noticeEmailTarget, before, after: null }
    await recordChange(ctxOfTx, { accountId, action: 'notice_email.deleted', ...change })
  })
}

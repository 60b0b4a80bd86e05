import type { NoticeEmail } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { noticeEmailNotFound, readNoticeEmail } from './notice-email.ts'

/** Whom the account lets tell by mail. */
export async function getNoticeEmail(ctx: Ctx, accountId: string): Promise<NoticeEmail> {
  const found = await readNoticeEmail(ctx, accountId)
  if (found === null) throw noticeEmailNotFound()
  return found
}

import type { NoticeEmail } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { noticeEmailNotFound, readNoticeEmail } from './notice-email.ts'

/** The account's address for notices by email. */
export async function getNoticeEmail(ctx: Ctx, accountId: string): Promise<NoticeEmail> {
  const found = await readNoticeEmail(ctx, accountId)
  if (found === null) throw noticeEmailNotFound()
  return found
}

import type { NoticeWebhook } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { noticeWebhookNotFound, readNoticeWebhook } from './row.ts'

/** The account's notice webhook. */
export async function getNoticeWebhook(ctx: Ctx, accountId: string): Promise<NoticeWebhook> {
  const found = await readNoticeWebhook(ctx, accountId)
  if (found === undefined) throw noticeWebhookNotFound()
  return found.shown
}

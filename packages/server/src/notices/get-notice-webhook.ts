import type { NoticeWebhook } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { noticeWebhookNotFound, readNoticeWebhook } from './row.ts'

/** Where the account's notices go. */
export async function getNoticeWebhook(ctx: Ctx, accountId: string): Promise<NoticeWebhook> {
  const found = await readNoticeWebhook(ctx, accountId)
  if (found === undefined) throw noticeWebhookNotFound()
  return found.shown
}

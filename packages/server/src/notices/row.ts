import type { NoticeWebhook } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { AppError } from '../errors.ts'

interface NoticeWebhookRow {
  id: string
  url: string
  status: NoticeWebhook['status']
  disabled_reason: NoticeWebhook['disabled_reason']
  secret_prefix: string
  created_at: Date
  updated_at: Date
}

/** The account's notice webhook and the UUID of its endpoint; undefined if there is none. */
export async function readNoticeWebhook(
  ctx: Pick<Ctx, 'db'>,
  accountId: string,
): Promise<{ endpointId: string; shown: NoticeWebhook } | undefined> {
  const [row] = await ctx.db.query<NoticeWebhookRow>(
    // the index endpoint_one_for_notices allows at most one
    `select e.id, e.url, e.status, e.disabled_reason, k.secret_prefix, e.created_at, e.updated_at
     from endpoint e
     join signing_key k on k.account_id = e.account_id and k.endpoint_id = e.id and k.state = 'primary'
     where e.account_id = $1 and e.kind = 'notices' and e.deleted_at is null`,
    [accountId],
  )
  if (row === undefined) return undefined
  const { id: endpointId, created_at, updated_at, ...shown } = row
  return {
    endpointId,
    shown: { ...shown, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() },
  }
}

/** The id in the audit log; an account has at most one notice webhook. */
export const noticeWebhookTarget = 'notice_webhook'

export function noticeWebhookNotFound(): AppError {
  return new AppError('not_found', 'This account has no notice webhook. Set one with PUT /v1/notice-webhook.')
}

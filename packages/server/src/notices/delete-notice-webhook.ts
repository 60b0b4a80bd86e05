import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { lockAccount } from './lock-account.ts'
import { noticeWebhookNotFound, noticeWebhookTarget, readNoticeWebhook } from './row.ts'

/** Deletes the notice webhook and erases its secret. */
export async function deleteNoticeWebhook(ctx: Ctx, accountId: string): Promise<void> {
  await ctx.db.transaction(async tx => {
    await lockAccount(tx, accountId)
    const found = await readNoticeWebhook({ db: tx }, accountId)
    if (found === undefined) throw noticeWebhookNotFound()
    const { endpointId, shown: before } = found
    await tx.query(
      `update endpoint set deleted_at = now(), status = 'disabled', version = version + 1
       where account_id = $1 and id = $2`,
      [accountId, endpointId],
    )
    await tx.query(
      `update signing_key set state = 'retired', retired_at = now(), secret_sealed = null
       where account_id = $1 and endpoint_id = $2 and state <> 'retired'`,
      [accountId, endpointId],
    )
    const change = { target: noticeWebhookTarget, before, after: null }
    await recordChange({ ...ctx, db: tx }, { accountId, action: 'notice_webhook.deleted', ...change })
  })
}

import type { NoticeWebhookPut, NoticeWebhookSaved } from '@posthorn/contract'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { newId } from '../new-id.ts'
import { addSigningKey } from '../signing-keys/add-signing-key.ts'
import { allowedUrl } from '../webhooks/allowed-url.ts'
import { lockAccount } from './lock-account.ts'
import { noticeWebhookNotFound, noticeWebhookTarget, readNoticeWebhook } from './row.ts'

/**
 * Sets the URL for the account's notices. The notice webhook is an endpoint of its own kind, subscribed to no type,
 * so that it gets no email events. Only the answer that creates it contains the secret.
 */
export async function putNoticeWebhook(
  ctx: Ctx,
  accountId: string,
  input: NoticeWebhookPut,
): Promise<NoticeWebhookSaved> {
  const url = allowedUrl(ctx, input.url)
  const saved = await ctx.db.transaction(async tx => {
    const ctxOfTx = { ...ctx, db: tx }
    await lockAccount(tx, accountId)
    const before = await readNoticeWebhook(ctxOfTx, accountId)
    const secret = before === undefined ? await create(ctxOfTx, accountId, url) : null
    if (before !== undefined) await change(ctxOfTx, accountId, before.endpointId, url)
    const after = await readNoticeWebhook(ctxOfTx, accountId)
    if (after === undefined) throw noticeWebhookNotFound()
    await recordChange(ctxOfTx, {
      accountId,
      action: before === undefined ? 'notice_webhook.created' : 'notice_webhook.updated',
      target: noticeWebhookTarget,
      before: before?.shown ?? null,
      after: after.shown,
    })
    return { ...after.shown, secret }
  })
  ctx.outside.wakeDispatchers()
  return saved
}

async function create(ctx: Ctx, accountId: string, url: string): Promise<string> {
  const endpointId = newId(ctx)
  await ctx.db.query(
    `insert into endpoint (account_id, id, kind, url, events, status) values ($1, $2, 'notices', $3, '{}', 'enabled')`,
    [accountId, endpointId, url],
  )
  const { secret } = await addSigningKey(ctx, accountId, endpointId, 'primary')
  return secret
}

/** The new version tells dispatchers to reload it; an endpoint disabled after a 410 is enabled again. */
async function change(ctx: Ctx, accountId: string, endpointId: string, url: string): Promise<void> {
  await ctx.db.query(
    `update endpoint set url = $3, status = 'enabled', disabled_reason = null, failures_in_row = 0,
       failing_since = null, exhausted_since = null, version = version + 1, updated_at = now()
     where account_id = $1 and id = $2`,
    [accountId, endpointId, url],
  )
}

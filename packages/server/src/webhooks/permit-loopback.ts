import type { LoopbackPermission, LoopbackPermissionPut } from '@posthorn/contract'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { checkLoopbackUrl } from '../domain/loopback-url.ts'
import { AppError } from '../errors.ts'
import { getWebhook } from './get-webhook.ts'
import { webhookNotFound } from './webhook-not-found.ts'

/**
 * Sets the URL of an endpoint to a loopback URL and permits its host and port. One statement changes both, so that they
 * always match.
 */
export async function permitLoopback(
  ctx: Ctx,
  accountId: string,
  webhookId: string,
  input: LoopbackPermissionPut,
): Promise<LoopbackPermission> {
  const verdict = checkLoopbackUrl(input.url)
  if (!verdict.ok) {
    throw new AppError('url_not_allowed', verdict.reason, [{ path: '/url', message: verdict.reason }])
  }
  const { url } = verdict
  const { id } = await ctx.db.transaction(async tx => {
    // the same lock as in an update, so that the audit log shows the right previous values
    const [locked] = await tx.query<{ id: string }>(
      `select id from endpoint where account_id = $1 and id = $2 and kind = 'events' and deleted_at is null
       for no key update`,
      [accountId, webhookId],
    )
    if (locked === undefined) throw webhookNotFound()
    const before = await getWebhook({ db: tx }, accountId, webhookId)
    await tx.query(
      `update endpoint set url = $3, loopback_origin = $4, version = version + 1, certificate_expires_at = null,
         updated_at = now()
       where account_id = $1 and id = $2`,
      [accountId, webhookId, url, new URL(url).origin],
    )
    const after = await getWebhook({ db: tx }, accountId, webhookId)
    await recordChange(
      { ...ctx, db: tx },
      { accountId, action: 'webhook.loopback_permitted', target: after.id, before, after },
    )
    return after
  })
  return { webhook_id: id, url }
}

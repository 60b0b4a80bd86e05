import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { getWebhook } from './get-webhook.ts'
import { webhookNotFound } from './webhook-not-found.ts'

/**
 * Deletes an endpoint. After the commit, it receives nothing more, and its secrets are erased. Its row and its deliveries
 * stay as history. A background job settles the deliveries that still wait.
 */
export async function deleteWebhook(ctx: Ctx, accountId: string, webhookId: string): Promise<void> {
  await ctx.db.transaction(async tx => {
    const before = await getWebhook({ db: tx }, accountId, webhookId)
    const [row] = await tx.query(
      // locks the row against accept and key changes before it changes the keys; disables the endpoint, so that no
      // process claims its deliveries
      `update endpoint
       set deleted_at = now(), status = 'disabled', version = version + 1, header_names = '{}', headers_sealed = null,
         client_certificate = null, client_key_sealed = null
       where account_id = $1 and id = $2 and kind = 'events' and deleted_at is null
       returning id`,
      [accountId, webhookId],
    )
    if (row === undefined) throw webhookNotFound()
    await tx.query(
      `update signing_key set state = 'retired', retired_at = now(), secret_sealed = null
       where account_id = $1 and endpoint_id = $2 and state <> 'retired'`,
      [accountId, webhookId],
    )
    const change = { action: 'webhook.deleted', target: before.id, before, after: null } as const
    await recordChange({ ...ctx, db: tx }, { accountId, ...change })
  })
}

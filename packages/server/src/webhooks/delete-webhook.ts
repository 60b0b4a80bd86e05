import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { getWebhook } from './get-webhook.ts'
import { webhookNotFound } from './webhook-not-found.ts'

/**
 * Ends an endpoint: from the commit on nothing more is sent to it, and its secrets are gone. Its row and its
 * deliveries stay as history; what still waited is settled in the background.
 */
export async function deleteWebhook(ctx: Ctx, accountId: string, webhookId: string): Promise<void> {
  await ctx.db.transaction(async tx => {
    const before = await getWebhook({ db: tx }, accountId, webhookId)
    const [row] = await tx.query(
      // locks the row against accept and the key verbs before their keys are touched; disabled, so that no claim
      // takes what still waits
      `update endpoint
       set deleted_at = now(), status = 'disabled', version = version + 1, header_names = '{}', headers_sealed = null
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

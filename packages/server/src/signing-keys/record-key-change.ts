import type { SigningKey } from '@posthorn/contract'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { typeId } from '../domain/type-id.ts'

/** Records a change of a key in the audit log, with the id of its endpoint. */
export async function recordKeyChange(
  ctx: Ctx,
  accountId: string,
  webhookId: string,
  change: { action: 'staged' | 'promoted' | 'retired'; before: SigningKey | null; after: SigningKey },
): Promise<void> {
  const ofWebhook = { webhook_id: typeId('wh', webhookId) }
  await recordChange(ctx, {
    accountId,
    action: `signing_key.${change.action}`,
    target: change.after.key_id,
    before: change.before === null ? null : { ...change.before, ...ofWebhook },
    after: { ...change.after, ...ofWebhook },
  })
}

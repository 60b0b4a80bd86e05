import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { domainNotFound } from './domain-not-found.ts'
import { getSendingDomain } from './get-sending-domain.ts'

/** Deletes a sending domain and its private key. Posthorn then no longer signs mail from it. */
export async function deleteSendingDomain(ctx: Ctx, accountId: string, domainId: string): Promise<void> {
  await ctx.db.transaction(async tx => {
    const before = await getSendingDomain({ ...ctx, db: tx }, accountId, domainId)
    const rows = await tx.query(
      'delete from sending_domain where account_id = $1 and id = $2 returning 1 as one',
      [accountId, domainId],
    )
    // another request deleted it first
    if (rows.length === 0) throw domainNotFound()
    await recordChange(
      { ...ctx, db: tx },
      { accountId, action: 'domain.deleted', target: before.id, before, after: null },
    )
  })
}

import type { SendingDomain, SendingDomainUpdate } from '@posthorn/contract'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { domainNotFound } from './domain-not-found.ts'
import { getSendingDomain } from './get-sending-domain.ts'
import { changedOwnHosts } from './own-hosts.ts'
import { factsOf, operatorHosts, type SendingDomainRow, sendingDomainColumns } from './row.ts'

/** Changes the names for bounces and links. Mail uses a new name only after a check has found its record. */
export async function updateSendingDomain(
  ctx: Ctx,
  accountId: string,
  domainId: string,
  input: SendingDomainUpdate,
): Promise<SendingDomain> {
  return await ctx.db.transaction(async tx => {
    // locked, so that a check cannot store what it found at the old names
    const [row] = await tx.query<SendingDomainRow>(
      `select ${sendingDomainColumns} from sending_domain where account_id = $1 and id = $2 for no key update`,
      [accountId, domainId],
    )
    if (row === undefined) throw domainNotFound()
    const after = changedOwnHosts(row.name, factsOf(row), input, operatorHosts(ctx.outside))
    const before = await getSendingDomain({ ...ctx, db: tx }, accountId, domainId)
    const forgotten = [
      ...(after.returnPathDomain === row.return_path_domain ? [] : ['return_path_cname']),
      ...(after.linkHost === row.link_host ? [] : ['link_cname']),
    ]
    // nothing to record
    if (forgotten.length === 0) return before
    await tx.query(
      `update sending_domain
       set return_path_domain = $3, link_host = $4,
         return_path_verified_at = case when return_path_domain = $3 then return_path_verified_at end,
         link_host_verified_at = case when link_host = $4 then link_host_verified_at end,
         checks = checks - $5::text[], lost_checks = lost_checks - $5::text[]
       where account_id = $1 and id = $2`,
      [accountId, domainId, after.returnPathDomain, after.linkHost, forgotten],
    )
    const domain = await getSendingDomain({ ...ctx, db: tx }, accountId, domainId)
    await recordChange(
      { ...ctx, db: tx },
      { accountId, action: 'domain.updated', target: domain.id, before, after: domain },
    )
    return domain
  })
}

import type { SuppressionReason } from '@posthorn/contract'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { plainArray } from '../db/array-literal.ts'
import { textArray } from '../db/binary-array.ts'
import { normalEmailAddress } from '../domain/email-address.ts'
import { foldedAddress } from '../domain/folded-address.ts'
import { domainBounceDays } from '../domain/suppression.ts'
import { newId } from '../new-id.ts'
import { addressMac } from './address-mac.ts'

/** A suppression from an imported list. */
export interface Listed {
  readonly address: string
  readonly reason: SuppressionReason
  readonly scope: 'all_mail' | 'all_lists' | 'list'
  readonly list: string | null
}

/**
 * Adds new suppressions in one transaction with one audit entry. Recipients can no longer undo those that they made themselves
 * and that the list confirms. Resolves with the number of new ones.
 */
export async function addListed(ctx: Ctx, accountId: string, listed: readonly Listed[]): Promise<number> {
  return await ctx.db.transaction(async tx => {
    const mac = await addressMac({ ...ctx, db: tx }, accountId)
    const ids = listed.map(() => newId(ctx))
    const rows = await tx.query<{ id: string }>(
      // in key order, so that two imports of the same addresses cannot deadlock
      `insert into suppression as s (account_id, id, address_mac, address, folded_address, reason, scope, list, lapses_at)
       select distinct on (mac, reason, scope, coalesce(list, ''))
         $1, id, decode(mac, 'hex'), address, folded, reason, scope, list,
         case when reason = 'domain_bounce' then now() + $8::int * interval '1 day' end
       from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $9::text[])
         with ordinality as i (id, mac, address, reason, scope, list, folded, n)
       order by mac, reason, scope, coalesce(list, ''), n
       on conflict (account_id, address_mac, reason, scope, (coalesce(list, ''))) where lifted_at is null
       do update set by_recipient = false where s.by_recipient
       returning s.id`,
      [
        accountId,
        plainArray(ids),
        plainArray(listed.map(({ address }) => mac(address).toString('hex'))),
        textArray(listed.map(({ address }) => normalEmailAddress(address))),
        plainArray(listed.map(({ reason }) => reason)),
        plainArray(listed.map(({ scope }) => scope)),
        textArray(listed.map(({ list }) => list)),
        domainBounceDays,
        textArray(listed.map(({ address }) => foldedAddress(address))),
      ],
    )
    const newIds = new Set(ids)
    const added = rows.filter(({ id }) => newIds.has(id)).length
    if (added === 0) return 0
    const after = { added }
    await recordChange(
      { ...ctx, db: tx },
      { accountId, action: 'suppression.imported', target: 'suppressions', before: null, after },
    )
    return added
  })
}

import type { Suppression, SuppressionCreate } from '@posthorn/contract'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { normalEmailAddress } from '../domain/email-address.ts'
import { foldedAddress } from '../domain/folded-address.ts'
import { newId } from '../new-id.ts'
import { addressMac } from './address-mac.ts'
import { type SuppressionRow, suppressionColumns, toSuppression, withoutAddress } from './row.ts'

/** Adds a manual suppression, or returns the one that already exists. */
export async function createSuppression(
  ctx: Ctx,
  accountId: string,
  { address, scope = { type: 'all_mail' } }: SuppressionCreate,
): Promise<Suppression> {
  return await ctx.db.transaction(async tx => {
    const mac = await addressMac({ ...ctx, db: tx }, accountId)
    const id = newId(ctx)
    const rows = await tx.query<SuppressionRow>(
      // an update without a change returns the existing row and locks it against lifting
      `insert into suppression as s (account_id, id, address_mac, address, folded_address, reason, scope, list)
       values ($1, $2, $3, $4, $5, 'manual', $6, $7)
       on conflict (account_id, address_mac, reason, scope, (coalesce(list, ''))) where lifted_at is null
       do update set lifted_at = null
       returning ${suppressionColumns}`,
      [
        accountId,
        id,
        mac(address),
        normalEmailAddress(address),
        foldedAddress(address),
        scope.type,
        scope.id ?? null,
      ],
    )
    const [suppression] = rows.map(toSuppression)
    if (suppression === undefined) throw new Error('the insert returned no row')
    if (rows[0]?.id !== id) return suppression
    const after = withoutAddress(suppression)
    await recordChange(
      { ...ctx, db: tx },
      { accountId, action: 'suppression.created', target: suppression.id, before: null, after },
    )
    return suppression
  })
}

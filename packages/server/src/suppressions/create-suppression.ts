import type { Suppression, SuppressionCreate } from '@posthorn/contract'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { normalEmailAddress } from '../domain/email-address.ts'
import { newId } from '../new-id.ts'
import { addressMac } from './address-mac.ts'
import { type SuppressionRow, suppressionColumns, toSuppression, withoutAddress } from './row.ts'

/** Stops mail to an address by hand. One that stands already is answered as it is. */
export async function createSuppression(
  ctx: Ctx,
  accountId: string,
  { address, scope = { type: 'all_mail' } }: SuppressionCreate,
): Promise<Suppression> {
  return await ctx.db.transaction(async tx => {
    const mac = await addressMac({ ...ctx, db: tx }, accountId)
    const id = newId(ctx)
    const rows = await tx.query<SuppressionRow>(
      // an update that changes nothing, because it returns the row that stands and keeps it from being lifted meanwhile
      `insert into suppression as s (account_id, id, address_mac, address, reason, scope, list)
       values ($1, $2, $3, $4, 'manual', $5, $6)
       on conflict (account_id, address_mac, reason, scope, (coalesce(list, ''))) where lifted_at is null
       do update set lifted_at = null
       returning ${suppressionColumns}`,
      [accountId, id, mac(address), normalEmailAddress(address), scope.type, scope.id ?? null],
    )
    const [suppression] = rows.map(toSuppression)
    if (suppression === undefined) throw new Error('neither was it entered nor did it stand')
    if (rows[0]?.id !== id) return suppression
    const after = withoutAddress(suppression)
    await recordChange(
      { ...ctx, db: tx },
      { accountId, action: 'suppression.created', target: suppression.id, before: null, after },
    )
    return suppression
  })
}

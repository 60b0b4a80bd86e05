import type { Ctx } from '../context.ts'
import { findAddressMac } from '../suppressions/address-mac.ts'
import type { RunningErasure } from './advance-erasures.ts'

/**
 * Removes the address, in any spelling, from the account's suppressions. They keep an HMAC of the address, so that they
 * still stop mail to it.
 *
 * @returns every spelling of the address that was removed
 */
export async function eraseSuppressions(
  ctx: Pick<Ctx, 'db' | 'seal'>,
  { account_id, recipient }: RunningErasure,
): Promise<string[]> {
  const mac = await findAddressMac(ctx, account_id)
  if (mac === null) return []
  const rows = await ctx.db.query<{ address: string }>(
    // locked in the same order as in enterSuppressions, to avoid deadlocks
    `with locked as materialized (
       select id, address from suppression where account_id = $1 and address_mac = $2 and address is not null
       order by reason, scope, coalesce(list, '')
       for no key update
     )
     update suppression s set address = null, folded_address = null from locked where s.account_id = $1 and s.id = locked.id
     returning locked.address`,
    [account_id, mac(recipient)],
  )
  return rows.map(row => row.address)
}

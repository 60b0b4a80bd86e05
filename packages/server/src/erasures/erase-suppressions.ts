import type { Ctx } from '../context.ts'
import { findAddressMac } from '../suppressions/address-mac.ts'
import type { RunningErasure } from './advance-erasures.ts'

/**
 * Takes the address out of the account's suppressions, in whatever case it was written. What is left is an HMAC by which
 * a mail to it is still recognised: who asked to be forgotten must not get mail again because of it.
 *
 * @returns the address in every spelling that stood there
 */
export async function eraseSuppressions(
  ctx: Pick<Ctx, 'db' | 'seal'>,
  { account_id, recipient }: RunningErasure,
): Promise<string[]> {
  const mac = await findAddressMac(ctx, account_id)
  if (mac === null) return []
  const rows = await ctx.db.query<{ address: string }>(
    // locked in the order in which outcomes enter them, so that the two cannot wait for each other
    `with locked as materialized (
       select id, address from suppression where account_id = $1 and address_mac = $2 and address is not null
       order by reason, scope, coalesce(list, '')
       for no key update
     )
     update suppression s set address = null from locked where s.account_id = $1 and s.id = locked.id
     returning locked.address`,
    [account_id, mac(recipient)],
  )
  return rows.map(row => row.address)
}

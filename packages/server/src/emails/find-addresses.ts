import type { AddressMatch, AddressMatches } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { erasedAddress } from '../domain/erased-address.ts'

const matchesMax = 10

/** The addresses that begin with a text, in suppressions and among the recipients of sent emails. */
export async function findAddresses(
  ctx: Pick<Ctx, 'db'>,
  accountId: string,
  prefix: string,
): Promise<AddressMatches> {
  const from = prefix.normalize('NFC').toLowerCase()
  const rows = await ctx.db.query<{ address: string; place: AddressMatch['found_in'][number] }>(
    `with recursive ${oneByOne('emails', 'folded_address', 'email_recipient')},
       ${oneByOne('suppressions', 'folded_address', 'suppression')}
     (select address, 'emails' as place from emails where address <> $4 limit $5)
     union all
     (select address, 'suppressions' from suppressions where address is not null limit $5)`,
    [accountId, from, `${from}\u{10ffff}`, erasedAddress, matchesMax + 1],
  )
  const places = new Map<string, AddressMatch['found_in']>()
  for (const { address, place } of rows) places.set(address, [...(places.get(address) ?? []), place])
  const sorted = [...places].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    data: sorted.slice(0, matchesMax).map(([address, found_in]) => ({ address, found_in })),
    has_more: sorted.length > matchesMax,
  }
}

/**
 * Jumps from one address to the next in the index, because an address can have millions of rows. The outer limit ends the
 * recursion.
 */
function oneByOne(name: string, column: string, table: string): string {
  const next = (isAfter: string): string => `select ${column} from ${table}
    where account_id = $1 and ${column} ${isAfter} and ${column} ~<~ $3 order by ${column} using ~<~ limit 1`
  return `${name} (address) as (
    (${next('~>=~ $2')})
    union all
    select (${next('~>~ before.address')}) from ${name} before where before.address is not null
  )`
}

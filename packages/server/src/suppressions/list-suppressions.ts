import type { Page, Suppression, SuppressionQuery } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { idCursor, toPage } from '../page.ts'
import { findAddressMac } from './address-mac.ts'
import { hasState, type SuppressionRow, suppressionColumns, toSuppression } from './row.ts'

/** The suppressions of an account, newest first; only active ones by default. */
export async function listSuppressions(
  ctx: Ctx,
  accountId: string,
  { address, reason, state = ['active'], limit, cursor }: SuppressionQuery,
): Promise<Page<Suppression>> {
  const before = idCursor(cursor)
  const mac = address === undefined ? undefined : await findAddressMac(ctx, accountId)
  // without a key there is no suppression
  if (mac === null) return { data: [], next_cursor: null }
  const rows = await ctx.db.query<SuppressionRow>(
    // uses suppression_address for one address, otherwise the primary key, read backwards
    `select ${suppressionColumns} from suppression s
     where s.account_id = $1 and ($2::uuid is null or s.id < $2)
       and ${mac === undefined ? '$3::bytea is null' : 's.address_mac = $3'}
       and ($4::text[] is null or s.reason = any($4)) and ${hasState('$5::text[]')}
     order by s.id desc limit $6`,
    [accountId, before, mac?.(address ?? '') ?? null, reason ?? null, state, limit + 1],
  )
  return toPage(rows, limit, row => row.id, toSuppression)
}

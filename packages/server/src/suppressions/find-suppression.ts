import type { SuppressionReason } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'
import { findAddressMac } from './address-mac.ts'

/** Why an email to an address is not sent. */
export interface Suppressed {
  /** UUID. */
  readonly id: string
  readonly reason: SuppressionReason
  /** The value of `failure.suppression` in an `email.failed`. */
  readonly failure: {
    readonly reason: 'bounced' | 'complaint' | 'unsubscribed' | 'manual'
    readonly since: string
  }
}

/**
 * Finds the suppression that stops an email to an address, or null. An email without `unsubscribe`, such as a receipt, is
 * stopped only by suppressions of all mail, never by an unsubscription from lists.
 *
 * @param unsubscribe the unsubscribe option of the email; null if it has none
 */
export async function findSuppression(
  ctx: Pick<Ctx, 'db' | 'seal'>,
  accountId: string,
  address: string,
  unsubscribe: { readonly list?: string | null | undefined } | null,
): Promise<Suppressed | null> {
  const mac = await findAddressMac(ctx, accountId)
  if (mac === null) return null
  const [row] = await ctx.db.query<{ id: string; reason: SuppressionReason }>(
    `select id, reason from suppression
     where account_id = $1 and address_mac = $2 and lifted_at is null
       and (lapses_at is null or lapses_at > now() or not is_clock_trusted())
       and (scope = 'all_mail' or $3 and (scope = 'all_lists' or scope = 'list' and list = $4))
     order by scope <> 'all_mail', id limit 1`,
    [accountId, mac(address), unsubscribe !== null, unsubscribe?.list ?? null],
  )
  if (row === undefined) return null
  const since = new Date(uuidV7Ms(row.id)).toISOString()
  return { ...row, failure: { reason: failureReasons[row.reason], since } }
}

const failureReasons = {
  bounce: 'bounced',
  domain_bounce: 'bounced',
  complaint: 'complaint',
  unsubscribe: 'unsubscribed',
  manual: 'manual',
} as const

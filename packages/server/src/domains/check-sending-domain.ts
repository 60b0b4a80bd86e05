import type { SendingDomain } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { takeCheck } from '../webhooks/take-check.ts'
import { domainNotFound } from './domain-not-found.ts'
import { domainTaken, isDomainTaken } from './domain-taken.ts'
import { lookUpRecords } from './look-up-records.ts'
import { type DomainChecks, type SendingDomainRow, sendingDomainColumns, toSendingDomain } from './row.ts'

/**
 * Looks up the records of a domain and stores the result. The DKIM record proves that the account owns the domain; without
 * it, Posthorn signs nothing. If DNS does not answer, the state of the domain stays the same.
 */
export async function checkSendingDomain(
  ctx: Ctx,
  accountId: string,
  domainId: string,
): Promise<SendingDomain> {
  const [row] = await ctx.db.query<SendingDomainRow>(
    `select ${sendingDomainColumns} from sending_domain where account_id = $1 and id = $2`,
    [accountId, domainId],
  )
  if (row === undefined) throw domainNotFound()
  await takeCheck(ctx, accountId)
  const { name, selector, public_key: publicKey } = row
  const returnPath = ctx.outside.returnPath()
  const checks = await lookUpRecords(ctx.outside.dns, { name, selector, publicKey }, returnPath)
  try {
    return toSendingDomain(await keep(ctx, accountId, domainId, checks), returnPath)
  } catch (error) {
    throw isDomainTaken(error) ? domainTaken() : error
  }
}

/** A record that this check does not find counts as lost only if the daily checks do not find it either. */
async function keep(
  ctx: Ctx,
  accountId: string,
  domainId: string,
  checks: DomainChecks,
): Promise<SendingDomainRow> {
  const right = Object.entries(checks).filter(([, { state }]) => state === 'right')
  const [row] = await ctx.db.query<SendingDomainRow>(
    `update sending_domain set checks = $3::jsonb, checked_at = now(),
       check_due_at = coalesce(check_due_at, now() + interval '1 day'), lost_checks = lost_checks || $5::jsonb,
       verified_at = case $4 when 'right' then coalesce(verified_at, now()) when 'failed' then verified_at end
     where account_id = $1 and id = $2
     returning ${sendingDomainColumns}`,
    [
      accountId,
      domainId,
      JSON.stringify(checks),
      checks.dkim?.state,
      JSON.stringify(Object.fromEntries(right.map(([purpose]) => [purpose, 0]))),
    ],
  )
  if (row === undefined) throw domainNotFound()
  return row
}

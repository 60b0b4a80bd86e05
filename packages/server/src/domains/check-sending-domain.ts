import type { SendingDomain } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import type { DomainFacts } from '../domain/domain-records.ts'
import { takeCheck } from '../webhooks/take-check.ts'
import { domainNotFound } from './domain-not-found.ts'
import { domainTaken, isDomainTaken } from './domain-taken.ts'
import { lookUpRecords } from './look-up-records.ts'
import {
  type DomainChecks,
  factsOf,
  operatorHosts,
  type SendingDomainRow,
  sendingDomainColumns,
  toSendingDomain,
} from './row.ts'

/**
 * Looks up the records of a domain and stores the result. The DKIM record proves that the account owns the domain; without
 * it, Posthorn signs nothing. If DNS does not answer, the state of the domain stays the same.
 */
export async function checkSendingDomain(
  ctx: Ctx,
  accountId: string,
  domainId: string,
): Promise<SendingDomain> {
  await readRow(ctx, accountId, domainId)
  await takeCheck(ctx, accountId)
  const operator = operatorHosts(ctx.outside)
  for (;;) {
    const facts = factsOf(await readRow(ctx, accountId, domainId))
    const checks = await lookUpRecords(ctx.outside, facts, operator)
    const row = await keep(ctx, accountId, domainId, facts, checks)
    // another request changed the names meanwhile: look up the new ones
    if (row !== undefined) return toSendingDomain(row, operator)
  }
}

async function readRow({ db }: Ctx, accountId: string, domainId: string): Promise<SendingDomainRow> {
  const [row] = await db.query<SendingDomainRow>(
    `select ${sendingDomainColumns} from sending_domain where account_id = $1 and id = $2`,
    [accountId, domainId],
  )
  if (row === undefined) throw domainNotFound()
  return row
}

/**
 * A record that this check does not find counts as lost only if the daily checks do not find it either.
 * @returns undefined if the domain no longer has the names that were looked up
 */
async function keep(
  ctx: Ctx,
  accountId: string,
  domainId: string,
  facts: DomainFacts,
  checks: DomainChecks,
): Promise<SendingDomainRow | undefined> {
  const right = Object.entries(checks).filter(([, { state }]) => state === 'right')
  const verifiedAt = (column: string, state: string): string =>
    `${column} = case ${state} when 'right' then coalesce(${column}, now()) when 'failed' then ${column} end`
  try {
    const [row] = await ctx.db.query<SendingDomainRow>(
      `update sending_domain set checks = $3::jsonb, checked_at = now(),
         check_due_at = coalesce(check_due_at, now() + interval '1 day'), lost_checks = lost_checks || $4::jsonb,
         ${verifiedAt('verified_at', '$5')},
         ${verifiedAt('return_path_verified_at', '$6')},
         ${verifiedAt('link_host_verified_at', '$7')}
       where account_id = $1 and id = $2
         and return_path_domain is not distinct from $8 and link_host is not distinct from $9
       returning ${sendingDomainColumns}`,
      [
        accountId,
        domainId,
        JSON.stringify(checks),
        JSON.stringify(Object.fromEntries(right.map(([purpose]) => [purpose, 0]))),
        checks.dkim?.state,
        checks.return_path_cname?.state,
        checks.link_cname?.state,
        facts.returnPathDomain,
        facts.linkHost,
      ],
    )
    return row
  } catch (error) {
    throw isDomainTaken(error) ? domainTaken() : error
  }
}

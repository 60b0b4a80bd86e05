import type { Ctx } from '../context.ts'
import { isDomainTaken } from './domain-taken.ts'
import { lookUpRecords } from './look-up-records.ts'
import { factsOf, operatorHosts, type SendingDomainRow, sendingDomainColumns } from './row.ts'
import { storeDailyCheck } from './store-daily-check.ts'

/** A run takes seconds even if no name server answers, because it looks up all of them at once. */
const domainsEach = 20

interface DueDomain extends SendingDomainRow {
  account_id: string
}

/**
 * Checks the records of domains again, a day after the last check. If a record was right and three checks in a row do not
 * find it, the account gets a notice; without its DKIM record, a domain is no longer verified.
 * @param nowMs from the maintenance gate, because a clock that jumps would make three checks in a row
 */
export async function checkDueDomains(ctx: Ctx, nowMs: number): Promise<{ checked: number }> {
  const due = await claimDue(ctx, nowMs)
  const done = await Promise.allSettled(due.map(async row => await checkAgain(ctx, row, nowMs)))
  const failed = done.find(one => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return { checked: due.length }
}

/** If the process dies, the domains are due again later. */
async function claimDue(ctx: Ctx, nowMs: number): Promise<DueDomain[]> {
  return await ctx.db.query<DueDomain>(
    `update sending_domain set check_due_at = $1::timestamptz + interval '4 hours'
     where (account_id, id) in (
       select d.account_id, d.id from sending_domain d
       where d.check_due_at <= $1
         -- an account that moves to another shard is checked there
         and exists (select from account a where a.id = d.account_id and a.deleted_at is null)
       order by d.check_due_at limit ${domainsEach}
       for update skip locked
     )
     returning account_id, ${sendingDomainColumns}`,
    [new Date(nowMs)],
  )
}

async function checkAgain(ctx: Ctx, row: DueDomain, nowMs: number): Promise<void> {
  const { account_id: accountId, id: domainId } = row
  const facts = factsOf(row)
  const operator = operatorHosts(ctx.outside)
  const checks = await lookUpRecords(ctx.outside, facts, operator)
  try {
    await storeDailyCheck(ctx, { accountId, domainId, facts, checks, operator, nowMs })
  } catch (error) {
    // the key is published again, but meanwhile another account has verified the domain
    if (!isDomainTaken(error)) throw error
  }
}

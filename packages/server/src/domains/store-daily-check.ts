import type { NoticeData } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { domainRecords, type DomainFacts, type OperatorHosts } from '../domain/domain-records.ts'
import { countLost, type LostChecks, lostChecksMin } from '../domain/lost-records.ts'
import { typeId } from '../domain/type-id.ts'
import { storeNotice } from '../notices/store-notice.ts'
import type { DomainChecks } from './row.ts'

interface DailyCheck {
  readonly accountId: string
  readonly domainId: string
  readonly facts: DomainFacts
  readonly checks: DomainChecks
  readonly operator: OperatorHosts
  readonly nowMs: number
}

/** The records that Posthorn does something with only while they are verified. */
type Verified = Readonly<Record<'dkim' | 'return_path_cname' | 'link_cname', boolean>>

/** Stores the result of a check that nobody asked for, with a notice of records that are lost or back. */
export async function storeDailyCheck(ctx: Ctx, check: DailyCheck): Promise<void> {
  const { accountId, domainId, facts, checks, nowMs } = check
  const isNoticed = await ctx.db.transaction(async tx => {
    const [row] = await tx.query<{ lost_checks: LostChecks } & Verified>(
      `select lost_checks, verified_at is not null as dkim,
         return_path_verified_at is not null as return_path_cname, link_host_verified_at is not null as link_cname
       from sending_domain d
       where account_id = $1 and id = $2 and exists (select from account a where a.id = d.account_id)
         -- other names may have been set while these were looked up
         and return_path_domain is not distinct from $3 and link_host is not distinct from $4
       for no key update`,
      [accountId, domainId, facts.returnPathDomain, facts.linkHost],
    )
    if (row === undefined) return false
    const { counts, lost, back } = countLost(row.lost_checks, checks)
    const isDoubtful = Object.values(counts).some(count => count > 0 && count < lostChecksMin)
    const isVerified = (purpose: keyof Verified): boolean =>
      checks[purpose]?.state === 'right' || (row[purpose] && counts[purpose] !== lostChecksMin)
    await tx.query(
      `update sending_domain set checks = $3::jsonb, checked_at = now(), lost_checks = $4::jsonb,
         check_due_at = $5::timestamptz + make_interval(hours => $6),
         verified_at = case when $7 then coalesce(verified_at, now()) end,
         return_path_verified_at = case when $8 then coalesce(return_path_verified_at, now()) end,
         link_host_verified_at = case when $9 then coalesce(link_host_verified_at, now()) end
       where account_id = $1 and id = $2`,
      [
        accountId,
        domainId,
        JSON.stringify(checks),
        JSON.stringify(counts),
        new Date(nowMs),
        isDoubtful ? 4 : 24,
        isVerified('dkim'),
        isVerified('return_path_cname'),
        isVerified('link_cname'),
      ],
    )
    const notices = { ...ctx, db: tx }
    if (lost.length > 0) await storeNotice(notices, accountId, 'domain.warning', warning(check, lost))
    const isWell = Object.values(counts).every(count => count < lostChecksMin)
    if (back.length > 0 && isWell) await storeNotice(notices, accountId, 'domain.recovered', recovered(check))
    return lost.length + back.length > 0
  })
  if (isNoticed) ctx.outside.wakeDispatchers()
}

function warning(check: DailyCheck, lost: readonly string[]): NoticeData<'domain.warning'> {
  const records = domainRecords(check.facts, check.operator)
    .filter(({ purpose }) => lost.includes(purpose))
    .map(({ purpose, name }) => ({ purpose, name, message: check.checks[purpose]?.message ?? '' }))
  const what = records.length === 1 ? 'A DNS record' : `${records.length} DNS records`
  const effects = [
    ...(lost.includes('dkim') ? [' Posthorn no longer signs its mail.'] : []),
    ...(lost.includes('return_path_cname') ? [" Its mail has the operator's return path again."] : []),
    ...(lost.includes('link_cname') ? [" Its unsubscribe links have the operator's host again."] : []),
  ]
  return {
    ...subject(check),
    message: `${what} of ${check.facts.name} disappeared or changed.${effects.join('')} Publish what the domain's page shows.`,
    records,
  }
}

function recovered(check: DailyCheck): NoticeData<'domain.recovered'> {
  return { ...subject(check), message: `The DNS records of ${check.facts.name} are published again.` }
}

function subject({ domainId, facts: { name } }: DailyCheck) {
  return { domain_id: typeId('dom', domainId), name }
}

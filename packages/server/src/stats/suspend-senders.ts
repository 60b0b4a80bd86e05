import type { Ctx } from '../context.ts'
import { type AccountRow, accountColumns, auditedAccount, toAccount } from '../accounts/row.ts'
import { recordChange } from '../audit/record-change.ts'
import { complaint } from '../domain/counted-outcome.ts'
import { storeNotice } from '../notices/store-notice.ts'

interface Sender {
  id: string
  reason: 'bounce_rate' | 'complaint_rate'
  rate: number
}

/**
 * Suspends accounts whose bounces or complaints of the last 24 hours exceed the operator's limits, with a notice. Only the
 * operator lifts a suspension, and then earlier outcomes no longer count.
 * @param nowMs from the maintenance gate
 */
export async function suspendSenders(ctx: Ctx, nowMs: number): Promise<{ suspended: string[] }> {
  const senders = await findSenders(ctx, nowMs)
  const suspended: string[] = []
  for (const sender of senders) if (await suspend(ctx, sender)) suspended.push(sender.id)
  if (suspended.length > 0) ctx.outside.wakeDispatchers()
  return { suspended }
}

/** Reads the last day of each account by primary key. */
async function findSenders(ctx: Ctx, nowMs: number): Promise<Sender[]> {
  const { bounceRate, complaintRate, outcomesMin } = ctx.settings.suspension
  if (bounceRate === null && complaintRate === null) return []
  return await ctx.db.query<Sender>(
    `select a.id, case when bounces > $2 then 'bounce_rate' else 'complaint_rate' end as reason,
       case when bounces > $2 then bounces else complaints end as rate
     from account a cross join lateral (
       select sum(count) filter (where type in ('email.delivered', 'email.bounced', 'email.failed')) as outcomes,
         sum(count) filter (where type = 'email.bounced')
           / sum(count) filter (where type in ('email.delivered', 'email.bounced', 'email.failed')) as bounces,
         sum(count) filter (where type = 'email.unsubscribed' and reason = $5)
           / nullif(sum(count) filter (where type = 'email.delivered'), 0) as complaints
       from (
         select type, reason, count::float8 from outcome_stat
         where account_id = a.id and at >= greatest($1::timestamptz - interval '24 hours', a.resumed_at)
       ) s
     ) r
     where a.deleted_at is null and a.suspended_at is null and outcomes >= $4 and (bounces > $2 or complaints > $3)`,
    [new Date(nowMs), bounceRate, complaintRate, outcomesMin, complaint],
  )
}

async function suspend(ctx: Ctx, { id, reason, rate }: Sender): Promise<boolean> {
  return await ctx.db.transaction(async tx => {
    const [row] = await tx.query<AccountRow>(
      `update account set suspended_at = now(), suspended_reason = $2
       where id = $1 and suspended_at is null and deleted_at is null
       returning ${accountColumns}`,
      [id, reason],
    )
    if (row === undefined) return false
    const within = { ...ctx, db: tx }
    const after = toAccount(row)
    const audited = auditedAccount(after)
    await recordChange(within, {
      accountId: id,
      action: 'account.updated',
      target: after.id,
      before: { ...audited, suspended_at: null, suspended_reason: null },
      after: audited,
    })
    const what = reason === 'bounce_rate' ? 'Too many emails bounced' : 'Too many recipients complained'
    const percent = `${Number((rate * 100).toPrecision(2))}%`
    const message = `${what} in the last 24 hours (${percent}), so Posthorn accepts no more emails of the account. Remove bad addresses, then ask the operator to lift the suspension.`
    await storeNotice(within, id, 'sending.suspended', { message, reason, rate })
    return true
  })
}

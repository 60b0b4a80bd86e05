import { type SuppressionCounts, suppressionCountMax, suppressionReasons } from '@posthorn/contract'
import type { Ctx } from '../context.ts'

/** How many suppressions of an account are active, by reason; each is counted up to `suppressionCountMax`. */
export async function countSuppressions(ctx: Pick<Ctx, 'db'>, accountId: string): Promise<SuppressionCounts> {
  const rows = await ctx.db.query<{ reason: keyof SuppressionCounts['by_reason']; count: number }>(
    // suppression_reason holds the active ones of a reason side by side, so each count reads at most the limit
    `select r.reason, c.count::int as count
     from unnest($2::text[]) as r (reason) cross join lateral (
       select count(*) from (
         select from suppression
         where account_id = $1 and reason = r.reason and lifted_at is null
           and coalesce(lapses_at, 'infinity'::timestamptz)
             > case when is_clock_trusted() then now() else '-infinity'::timestamptz end
         order by coalesce(lapses_at, 'infinity'::timestamptz) desc
         limit $3
       ) s
     ) c`,
    [accountId, suppressionReasons, suppressionCountMax],
  )
  const none = { bounce: 0, domain_bounce: 0, complaint: 0, unsubscribe: 0, manual: 0 }
  return { by_reason: { ...none, ...Object.fromEntries(rows.map(({ reason, count }) => [reason, count])) } }
}

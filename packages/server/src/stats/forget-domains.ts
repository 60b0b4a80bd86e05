import type { Ctx } from '../context.ts'
import { lockStatistics } from './lock-statistics.ts'

const batchMax = 5_000
const dayMs = 86_400_000

/**
 * Removes the domains from counts that are older than the retention, because a domain can be that of one person, and an erasure
 * finds it only by the person's events. The outcomes themselves still count.
 * @param nowMs from the maintenance gate
 */
export async function forgetDomains(
  { db, settings }: Pick<Ctx, 'db' | 'settings'>,
  nowMs: number,
): Promise<{ forgotten: number }> {
  let forgotten = 0
  for (;;) {
    const rows = await db.transaction(async tx => {
      await lockStatistics(tx)
      return await tx.query(
        // by the index outcome_stat_named
        `update outcome_stat set domains = '{}', domain_counts = '{}'
         where (account_id, at, id) in (
           select account_id, at, id from outcome_stat
           where process is null and domains <> '{}' and at < $1 order by at limit $2
         )
         returning 1 as one`,
        [new Date(nowMs - settings.retentionDays * dayMs), batchMax],
      )
    })
    forgotten += rows.length
    if (rows.length < batchMax) return { forgotten }
  }
}

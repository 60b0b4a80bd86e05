import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { lockStatistics } from './lock-statistics.ts'
import { lastWidthSeconds } from './merge-statistics.ts'

const batchMax = 5_000
const dayMs = 86_400_000

/**
 * Deletes the counts of attempts and outcomes that are older than the operator keeps statistics. Only completely merged rows
 * expire, so a count that is late is merged first.
 * @param nowMs from the maintenance gate
 */
export async function expireStatistics(
  { db, settings }: Pick<Ctx, 'db' | 'settings'>,
  nowMs: number,
): Promise<{ expired: number }> {
  // an interval expires when all of it is old
  const before = new Date(nowMs - settings.statsDays * dayMs - lastWidthSeconds * 1_000)
  let expired = 0
  for (const table of ['attempt_stat', 'outcome_stat']) {
    for (;;) {
      const rows = await expireBatch(db, table, before)
      expired += rows
      if (rows < batchMax) break
    }
  }
  return { expired }
}

async function expireBatch(db: Queryable, table: string, before: Date): Promise<number> {
  return await db.transaction(async tx => {
    await lockStatistics(tx)
    const rows = await tx.query(
      // by the index on (width_seconds, at) of merged rows
      `delete from ${table} where (account_id, at, id) in (
         select account_id, at, id from ${table}
         where process is null and width_seconds = $1 and at < $2 order by at limit $3
       )
       returning 1 as one`,
      [lastWidthSeconds, before, batchMax],
    )
    return rows.length
  })
}

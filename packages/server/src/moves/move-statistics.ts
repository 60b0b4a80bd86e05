import { accountTables } from '../accounts/account-tables.ts'
import type { Queryable } from '../db/database.ts'
import { recountLost } from '../stats/recount-lost.ts'
import { copyRows } from './copy-rows.ts'
import type { Move } from './moved-account.ts'

const afterwards = accountTables.filter(({ transfer }) => transfer === 'afterwards')
const pollMs = 250
/** A result is counted at most this long after it was stored. */
const countedWithinSeconds = 2

/**
 * Adds the counts of the source to those of the other shard, when the source's processes have written what they had counted. It
 * removes the other shard's row of the move in the same transaction, so that nothing is added twice.
 */
export async function moveStatistics(move: Move): Promise<void> {
  const { source, target, accountId, wait } = move
  const stoppedAt = await now(source.db)
  while (await isUncounted(source.db, stoppedAt)) {
    await recountLost(source.db, { nowMs: (await now(source.db)).getTime() })
    await wait(pollMs)
  }
  await source.db.transaction(async from => {
    await from.query('set transaction isolation level repeatable read, read only')
    await target.db.transaction(async to => {
      const rows = await to.query(
        `delete from account_move where account_id = $1 and step = 'arrived' returning 1 as one`,
        [accountId],
      )
      if (rows.length === 0) return
      for (const table of afterwards) await copyRows(from, to, accountId, table)
    })
  })
}

async function now(db: Queryable): Promise<Date> {
  const [row] = await db.query<{ now: Date }>('select clock_timestamp() as now')
  if (row === undefined) throw new Error('the database did not say what time it is')
  return row.now
}

async function isUncounted(db: Queryable, since: Date): Promise<boolean> {
  const rows = await db.query(
    `select 1 as one from stat_process
     where counted_until < $1::timestamptz + $2::int * interval '1 second' limit 1`,
    [since, countedWithinSeconds],
  )
  return rows.length > 0
}

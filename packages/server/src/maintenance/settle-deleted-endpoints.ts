import type { Ctx } from '../context.ts'
import { giveUp } from '../deliveries/give-up.ts'

const batchMax = 1_000

/**
 * Gives up the queued deliveries of deleted endpoints. Deliveries that a process has claimed stay until they are settled or
 * the lease ends.
 */
export async function settleDeletedEndpoints(ctx: Pick<Ctx, 'db'>): Promise<{ settled: number }> {
  let settled = 0
  while (await isAnyQueued(ctx)) {
    const rows = await ctx.db.query(settleStatement, [batchMax])
    settled += rows.length
    if (rows.length < batchMax) break
  }
  return { settled }
}

// lateral: each deleted endpoint costs one lookup in queue_due, however much is queued for others
const settleStatement = `${giveUp(
  `select q.* from endpoint e
   cross join lateral (
     select * from queue q where q.endpoint_id = e.id and q.process is null
     limit $1
     for update skip locked
   ) q
   where e.deleted_at is not null
   limit $1`,
  'endpoint_deleted',
)}
select 1 as one from given_up`

/** A cheap check, because until the tables are analyzed the main statement sorts all deliveries of the day. */
async function isAnyQueued({ db }: Pick<Ctx, 'db'>): Promise<boolean> {
  const rows = await db.query(
    `select from endpoint e
     cross join lateral (select from queue q where q.endpoint_id = e.id and q.process is null limit 1) q
     where e.deleted_at is not null
     limit 1`,
  )
  return rows.length > 0
}

import type { Ctx } from '../context.ts'
import { giveUp } from '../deliveries/give-up.ts'

const batchMax = 1_000

/**
 * Gives up what is still queued for endpoints that were deleted, until nothing is left. What a process holds is left to
 * it, and comes up again when it is settled or its lease has ended.
 */
export async function settleDeletedEndpoints(ctx: Pick<Ctx, 'db'>): Promise<{ settled: number }> {
  let settled = 0
  while (await somethingIsQueued(ctx)) {
    const rows = await ctx.db.query(settleStatement, [batchMax])
    settled += rows.length
    if (rows.length < batchMax) break
  }
  return { settled }
}

// lateral, so that each deleted endpoint costs one probe of queue_due however much is queued for the others
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

/** Hardly ever: and until somebody analyses them, what follows sorts all deliveries of the day to find none among them. */
async function somethingIsQueued({ db }: Pick<Ctx, 'db'>): Promise<boolean> {
  const rows = await db.query(
    `select from endpoint e
     cross join lateral (select from queue q where q.endpoint_id = e.id and q.process is null limit 1) q
     where e.deleted_at is not null
     limit 1`,
  )
  return rows.length > 0
}

import type { Ctx } from '../context.ts'
import { type DeliveryState, nextDeliveryState } from '../domain/delivery-state.ts'

const batchMax = 1_000

/**
 * Gives up what still waits for endpoints that were deleted, until nothing is left. What a process holds is left to
 * it, and comes up again when its lease has ended.
 */
export async function settleDeletedEndpoints(ctx: Pick<Ctx, 'db'>): Promise<{ settled: number }> {
  const never = stateAfterDeletion(false)
  const once = stateAfterDeletion(true)
  let settled = 0
  while (await somethingWaits(ctx)) {
    const rows = await ctx.db.query(
      // lateral, so that each deleted endpoint costs one probe of waiting_due however much waits for the others; skip
      // locked, so that a claim under way is not waited for
      `with gone as materialized (
         select w.* from endpoint e
         cross join lateral (
           select account_id, delivery_id, claim, was_delivered from waiting w
           where w.endpoint_id = e.id
           limit $1
           for update skip locked
         ) w
         where e.deleted_at is not null
         limit $1
       ), removed as (
         delete from waiting w using gone g where w.account_id = g.account_id and w.delivery_id = g.delivery_id
       )
       update delivery d
       set state = case when g.was_delivered then $2 else $3 end::delivery_state,
           reason = case when g.was_delivered then $4 else $5 end,
           claim = greatest(d.claim, g.claim) + 1
       from gone g where d.account_id = g.account_id and d.id = g.delivery_id
       returning d.id`,
      [batchMax, once.state, never.state, once.reason, never.reason],
    )
    settled += rows.length
    if (rows.length < batchMax) break
  }
  return { settled }
}

/** Hardly ever: and until somebody analyses them, what follows sorts all deliveries of the day to find none among them. */
async function somethingWaits({ db }: Pick<Ctx, 'db'>): Promise<boolean> {
  const rows = await db.query(
    `select from endpoint e
     cross join lateral (select from waiting w where w.endpoint_id = e.id limit 1) w
     where e.deleted_at is not null
     limit 1`,
  )
  return rows.length > 0
}

function stateAfterDeletion(wasDelivered: boolean): { state: DeliveryState; reason: string | null } {
  const next = nextDeliveryState('pending', 'endpoint_deleted', { wasDelivered })
  if (next === undefined) throw new Error('a waiting delivery can always be given up')
  return next
}

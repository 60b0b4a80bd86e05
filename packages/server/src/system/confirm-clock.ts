import type { ClockConfirmation } from '@posthorn/contract'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { operatorId } from '../domain/operator-id.ts'

/** Records that the operator has confirmed the database's clock, so that maintenance continues. */
export async function confirmClock(ctx: Ctx): Promise<ClockConfirmation> {
  return await ctx.db.transaction(async tx => {
    const [row] = await tx.query<{ before: Date; after: Date }>(
      `update maintenance_clock c set seen_at = clock_timestamp(),
         -- if the clock was ahead, the next pass of the maintenance gate corrects late due times
         jumped_at = case when ahead_at > clock_timestamp() + interval '2 minutes' then ahead_at end
       from (select seen_at, greatest(seen_at, jumped_at) as ahead_at from maintenance_clock for update) old
       returning old.seen_at as before, c.seen_at as after`,
    )
    if (row === undefined)
      throw new Error('the row of the table maintenance_clock is missing: restore it from a backup')
    const confirmed_at = row.after.toISOString()
    await recordChange(
      { ...ctx, db: tx },
      {
        accountId: operatorId,
        action: 'clock.confirmed',
        target: 'clock',
        before: { last_trusted_at: row.before.toISOString() },
        after: { last_trusted_at: confirmed_at },
      },
    )
    return { confirmed_at }
  })
}

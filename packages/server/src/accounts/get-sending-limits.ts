import type { SendingLimits } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { accountNotFound } from './account-not-found.ts'
import { type SendingRow, sendingColumns, toSending } from './row.ts'

/** What the account may send, what it has sent this hour and day (UTC), and whether it is suspended. */
export async function getSendingLimits(ctx: Pick<Ctx, 'db'>, accountId: string): Promise<SendingLimits> {
  const [row] = await ctx.db.query<SendingRow & { hour_ends_at: Date; day_ends_at: Date }>(
    `select ${sendingColumns},
       date_trunc('hour', now(), 'UTC') + interval '1 hour' as hour_ends_at,
       date_trunc('day', now(), 'UTC') + interval '24 hours' as day_ends_at
     from account where id = $1 and deleted_at is null`,
    [accountId],
  )
  if (row === undefined) throw accountNotFound()
  return {
    ...toSending(row),
    hour_ends_at: row.hour_ends_at.toISOString(),
    day_ends_at: row.day_ends_at.toISOString(),
  }
}

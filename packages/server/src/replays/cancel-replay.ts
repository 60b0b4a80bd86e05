import type { Replay } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { readReplay } from './row.ts'

/** Stops a replay: what it has queued goes out, nothing more is added. One that has ended stays as it is. */
export async function cancelReplay(ctx: Ctx, accountId: string, replayId: string): Promise<Replay> {
  await ctx.db.query(
    // waits for the batch under way, which holds the row
    `update replay set state = 'cancelled', finished_at = now()
     where account_id = $1 and id = $2 and state = 'running'`,
    [accountId, replayId],
  )
  return await readReplay(ctx, accountId, replayId)
}

import type { Replay } from '@posthorn/contract'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { readReplay } from './row.ts'

/** Stops a replay: it queues nothing more, but queued deliveries are sent. A finished replay stays unchanged. */
export async function cancelReplay(ctx: Ctx, accountId: string, replayId: string): Promise<Replay> {
  return await ctx.db.transaction(async tx => {
    const within = { ...ctx, db: tx }
    const cancelled = await tx.query(
      // waits for a running batch, which has locked the row
      `update replay set state = 'cancelled', finished_at = now()
       where account_id = $1 and id = $2 and state = 'running'
       returning id`,
      [accountId, replayId],
    )
    const replay = await readReplay(within, accountId, replayId)
    if (cancelled.length === 0) return replay
    const before = { ...replay, state: 'running', finished_at: null }
    const change = { action: 'replay.cancelled', target: replay.id, before, after: replay } as const
    await recordChange(within, { accountId, ...change })
    return replay
  })
}

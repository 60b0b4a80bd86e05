import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { leastUuid } from '../db/id-bounds.ts'
import { queueAgain } from './queue-again.ts'
import { queueMissing } from './queue-missing.ts'
import { type RunningReplay, takeReplay } from './take-replay.ts'

const batchMax = 1_000

/**
 * Runs all replays at the rates of their endpoints, until none may queue more for now. One transaction queues a batch and
 * stores the progress, so that another process can continue if this one dies.
 */
export async function advanceReplays(
  ctx: Pick<Ctx, 'db' | 'settings' | 'outside'>,
): Promise<{ queued: number }> {
  let queued = 0
  for (;;) {
    const batch = await ctx.db.transaction(async tx => await advanceNext(tx, ctx.settings.drainPerSecond))
    if (batch === null) return { queued }
    queued += batch
    // also if nothing was queued, because a claim may have skipped rows that the batch had locked
    ctx.outside.wakeDispatchers()
  }
}

/** One batch of the replay that has waited longest; null when none is ready. */
async function advanceNext(tx: Queryable, perSecond: number): Promise<number | null> {
  const replay = await takeReplay(tx, perSecond)
  if (replay === null) return null
  if (replay.endpointDeleted) {
    await finish(tx, replay, 'cancelled')
    return 0
  }
  const most = Math.min(batchMax, replay.allowed, await queueCapacity(tx, replay, perSecond))
  if (most < 1) {
    await note(tx, replay, { seen: 0, lastSequence: null, lastEventId: null })
    return 0
  }
  if (replay.lastEventId === null && replay.states.some(state => state !== 'missing')) {
    // Missing events have their own transactions, because they may be older and events are locked in the order of their ids.
    const { seen, queued, lastSequence = null } = await queueAgain(tx, replay, most)
    const isOver = seen < most
    await note(tx, replay, { seen, lastSequence, lastEventId: isOver ? leastUuid : null })
    if (isOver && !replay.states.includes('missing')) await finish(tx, replay, 'done')
    return queued
  }
  const { seen, lastEventId } = await queueMissing(tx, replay, most)
  await note(tx, replay, { seen, lastSequence: null, lastEventId })
  if (seen < most) await finish(tx, replay, 'done')
  return seen
}

/** Limits the due deliveries to two seconds' worth, in case the receiver is slow. */
async function queueCapacity(tx: Queryable, replay: RunningReplay, perSecond: number): Promise<number> {
  const limit = Math.max(1, Math.ceil(2 * perSecond))
  const [row] = await tx.query<{ due: number }>(
    `select count(*) as due from (
       select from queue where endpoint_id = $1 and process is null and due_at <= now() limit $2
     ) due`,
    [replay.endpointId, limit],
  )
  return limit - (row?.due ?? 0)
}

async function note(
  tx: Queryable,
  { accountId, id }: RunningReplay,
  {
    seen,
    lastSequence,
    lastEventId,
  }: { seen: number; lastSequence: number | null; lastEventId: string | null },
): Promise<void> {
  await tx.query(
    `update replay set done = done + $3, total = greatest(total, done + $3), paced_at = now(),
       last_sequence = coalesce($4, last_sequence), last_event_id = coalesce($5, last_event_id)
     where account_id = $1 and id = $2`,
    [accountId, id, seen, lastSequence, lastEventId],
  )
}

/** The total becomes the number done, because some deliveries may have changed since they were counted. */
async function finish(
  tx: Queryable,
  { accountId, id }: RunningReplay,
  state: 'done' | 'cancelled',
): Promise<void> {
  await tx.query(
    `update replay set state = $3, finished_at = now(), total = case when $3 = 'done' then done else total end
     where account_id = $1 and id = $2`,
    [accountId, id, state],
  )
}

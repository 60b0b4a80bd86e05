import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { OperatorTimings } from '../domain/endpoint-timings.ts'
import { foldedAddress } from '../domain/folded-address.ts'
import { leastUuid } from '../db/id-bounds.ts'
import { lockStatistics } from '../stats/lock-statistics.ts'
import { eraseAnswers } from './erase-answers.ts'
import { eraseEmails } from './erase-emails.ts'
import { eraseEvents } from './erase-events.ts'
import { eraseSuppressions } from './erase-suppressions.ts'

/**
 * Runs erasures, with one batch of events or emails per transaction. Each transaction also counts its batch, so if the
 * process dies, the next one continues with the rest.
 *
 * An erasure is done when no attempt is in flight for a delivery that it removed from the queue. The results of such
 * attempts are stored without headers and bodies.
 */
export async function advanceErasures(ctx: ErasureCtx): Promise<{ finished: number }> {
  const due = await ctx.db.query<{ id: string }>(
    `select id from erasure
     where state = 'running' and (under_way_until is null or under_way_until <= now())
     order by id`,
  )
  let finished = 0
  for (const { id } of due) if (await advance(ctx, id)) finished++
  return { finished }
}

export type ErasureCtx = Pick<Ctx, 'db' | 'seal'> & {
  settings: { timings: Pick<OperatorTimings, 'attemptTimeoutMaxMs'> }
}

export interface RunningErasure {
  account_id: string
  id: string
  /** As in the request. */
  recipient: string
  /** The same for all spellings of the address. */
  folded: string
}

async function advance(ctx: ErasureCtx, id: string): Promise<boolean> {
  let afterEventId = leastUuid
  for (;;) {
    const step = await ctx.db.transaction(async (tx): Promise<string | boolean> => {
      const erasure = await take(tx, id)
      if (erasure === null) return false
      // before the events, because a recount holds it for long
      await lockStatistics(tx)
      const last = await eraseEvents(tx, erasure, {
        afterEventId,
        attemptTimeoutMs: ctx.settings.timings.attemptTimeoutMaxMs,
      })
      if (last !== null) return last
      if (await eraseEmails(tx, erasure)) return afterEventId
      const spellings = await eraseSuppressions({ ...ctx, db: tx }, erasure)
      for (const spelling of new Set([erasure.recipient, erasure.folded, ...spellings]))
        await eraseAnswers(tx, erasure.account_id, spelling)
      return await finishUnlessUnderWay(tx, erasure)
    })
    if (typeof step === 'boolean') return step
    afterEventId = step
  }
}

/** Null if another process works on it, or if it is done. */
async function take(tx: Queryable, id: string): Promise<RunningErasure | null> {
  const [row] = await tx.query<Omit<RunningErasure, 'folded'>>(
    // an account that moves to another shard is changed there
    `select e.account_id, e.id, e.recipient from erasure e join account a on a.id = e.account_id
     where e.id = $1 and e.state = 'running'
     for update of e skip locked`,
    [id],
  )
  return row === undefined ? null : { ...row, folded: foldedAddress(row.recipient) }
}

async function finishUnlessUnderWay(tx: Queryable, { account_id, id }: RunningErasure): Promise<boolean> {
  const finished = await tx.query(
    `update erasure set state = 'done', recipient = null, finished_at = now()
     where account_id = $1 and id = $2 and (under_way_until is null or under_way_until <= now())
     returning 1 as one`,
    [account_id, id],
  )
  return finished.length > 0
}

import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { foldedAddress } from '../domain/folded-address.ts'
import { eraseAnswers } from './erase-answers.ts'
import { clearAttempts } from './erase-deliveries.ts'
import { eraseEmails } from './erase-emails.ts'
import { eraseEvents } from './erase-events.ts'
import { eraseSuppressions } from './erase-suppressions.ts'

/**
 * Works off erasures, a batch of events or emails in each transaction. What was erased and that it was counted are known
 * together, so a process may die at any moment: the next one finds only what is left.
 *
 * An attempt that was under way when its delivery was erased writes down what the receiver answered. So the job goes
 * on until the last of their leases has ended, and clears those attempts once more.
 */
export async function advanceErasures(ctx: Pick<Ctx, 'db' | 'seal'>): Promise<{ finished: number }> {
  const due = await ctx.db.query<{ id: string }>(
    `select id from erasure
     where state = 'running' and (under_way_until is null or under_way_until <= now())
     order by id`,
  )
  let finished = 0
  for (const { id } of due) if (await advance(ctx, id)) finished++
  return { finished }
}

export interface RunningErasure {
  account_id: string
  id: string
  /** As it was asked for. */
  recipient: string
  /** What all its spellings have in common. */
  folded: string
  under_way: string[]
  under_way_until: Date | null
}

async function advance(ctx: Pick<Ctx, 'db' | 'seal'>, id: string): Promise<boolean> {
  let afterEventId = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const step = await ctx.db.transaction(async (tx): Promise<string | boolean> => {
      const erasure = await take(tx, id)
      if (erasure === null) return false
      if (erasure.under_way_until !== null) return await finishLate(tx, erasure)
      const last = await eraseEvents(tx, erasure, afterEventId)
      if (last !== null) return last
      if (await eraseEmails(tx, erasure)) return afterEventId
      return await finishUnlessUnderWay({ ...ctx, db: tx }, erasure)
    })
    if (typeof step === 'boolean') return step
    afterEventId = step
  }
}

/** Null when another process works on it, or it has ended. */
async function take(tx: Queryable, id: string): Promise<RunningErasure | null> {
  const [row] = await tx.query<Omit<RunningErasure, 'folded'>>(
    `select account_id, id, recipient, under_way, under_way_until from erasure
     where id = $1 and state = 'running' and (under_way_until is null or under_way_until <= now())
     for update skip locked`,
    [id],
  )
  return row === undefined ? null : { ...row, folded: foldedAddress(row.recipient) }
}

async function finishUnlessUnderWay(
  ctx: Pick<Ctx, 'db' | 'seal'>,
  erasure: RunningErasure,
): Promise<boolean> {
  const { db: tx } = ctx
  const spellings = new Set([erasure.recipient, erasure.folded, ...(await eraseSuppressions(ctx, erasure))])
  for (const spelling of spellings) await eraseAnswers(tx, erasure.account_id, spelling)
  if (erasure.under_way.length === 0) return await finish(tx, erasure, 0)
  await tx.query(
    // a waiting row that an erasure removed bore its lease; the longest that was seen is in the column
    `update erasure set under_way_until = leased_until where account_id = $1 and id = $2`,
    [erasure.account_id, erasure.id],
  )
  return false
}

async function finishLate(tx: Queryable, erasure: RunningErasure): Promise<boolean> {
  return await finish(tx, erasure, await clearAttempts(tx, erasure.account_id, erasure.under_way, 'filled'))
}

async function finish(tx: Queryable, { account_id, id }: RunningErasure, attempts: number): Promise<boolean> {
  await tx.query(
    `update erasure set state = 'done', recipient = null, under_way = '{}', finished_at = now(), attempts = attempts + $3
     where account_id = $1 and id = $2`,
    [account_id, id, attempts],
  )
  return true
}

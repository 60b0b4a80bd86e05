import type { Queryable } from '../db/database.ts'
import { lockStatistics } from './lock-statistics.ts'
import { mergeAttempts } from './merge-attempts.ts'
import { mergeOutcomes } from './merge-outcomes.ts'
import { silentMsMax } from './recount-lost.ts'

interface Stage {
  /** Rows of processes, or merged rows of this width in seconds. */
  from: 'written' | number
  toSeconds: number
  olderThanSeconds: number
}

const hour = 3_600
const day = 24 * hour

/** The last stages of both tables make rows of this width. */
export const lastWidthSeconds = 6 * hour

/** An endpoint's page shows a week of attempts in points of 15 minutes. */
const attemptStages: readonly Stage[] = [
  { from: 'written', toSeconds: 60, olderThanSeconds: hour },
  { from: 60, toSeconds: 900, olderThanSeconds: day },
  { from: 900, toSeconds: lastWidthSeconds, olderThanSeconds: 8 * day },
]

/**
 * Rows of outcomes name up to a hundred domains each, so they are merged as soon as the overview no longer needs them apart.
 * It shows an hour in minutes, a day in points of 15 minutes and a week in points of two hours, each beside the time before it.
 */
const outcomeStages: readonly Stage[] = [
  { from: 'written', toSeconds: 60, olderThanSeconds: hour },
  { from: 60, toSeconds: 900, olderThanSeconds: 3 * hour },
  { from: 900, toSeconds: 2 * hour, olderThanSeconds: 2 * day },
  { from: 2 * hour, toSeconds: lastWidthSeconds, olderThanSeconds: 15 * day },
]

const batchMax = 20_000

/**
 * The statement that merges chosen rows into rows of $2 seconds. It returns how many it merged.
 * @param chosen gives the statement that finds the rows of a table
 */
export type MergeStatement = (chosen: (table: string) => string) => string

/**
 * Merges old rows, one batch per transaction. An interval that is merged in several batches has several rows, which
 * readers add up.
 * @param nowMs from the maintenance gate
 */
export async function mergeStatistics(db: Queryable, nowMs: number): Promise<{ merged: number }> {
  let merged = 0
  for (const [statement, stages] of [
    [mergeAttempts, attemptStages],
    [mergeOutcomes, outcomeStages],
  ] as const) {
    for (const stage of stages) {
      for (;;) {
        const rows = await mergeBatch(db, statement, stage, nowMs)
        merged += rows
        if (rows < batchMax) break
      }
    }
  }
  return { merged }
}

async function mergeBatch(
  db: Queryable,
  statement: MergeStatement,
  { from, toSeconds, olderThanSeconds }: Stage,
  nowMs: number,
): Promise<number> {
  return await db.transaction(async tx => {
    await lockStatistics(tx)
    const ofStage =
      from === 'written'
        ? // a recount may still replace the rows of a silent process
          `process is not null and $1::int = 0 and not exists (
             select from stat_process p
             where p.number = s.process and p.heard_at <= $5::timestamptz - ${silentMsMax} * interval '1 millisecond')`
        : 'process is null and width_seconds = $1'
    const chosen = (table: string): string => `
      select account_id, at, id from ${table} s
      -- only whole intervals, because every merge makes a row
      where ${ofStage}
        and at < date_bin($2::int * interval '1 second', $5::timestamptz - $3::int * interval '1 second', 'epoch')
      order by at limit $4`
    const [row] = await tx.query<{ merged: number }>(statement(chosen), [
      from === 'written' ? 0 : from,
      toSeconds,
      olderThanSeconds,
      batchMax,
      new Date(nowMs),
    ])
    return row?.merged ?? 0
  })
}

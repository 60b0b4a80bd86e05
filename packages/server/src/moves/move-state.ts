import type { Queryable } from '../db/database.ts'

/**
 * The steps of a move. On the shard that the account leaves:
 *
 * - `copying`: the account is in use here while PostgreSQL streams it to the other shard.
 * - `stopping`: its row is taken out of `account`, so nothing new begins; what is in flight ends.
 * - `stopped`: nothing of it is written any more. The other shard has everything as soon as it sees this step.
 * - `handed_over`: the other shard has the account. The directory and the statistics follow.
 * - `left`: the data that is left here may be deleted.
 * - `cancelling`: the move is undone; the account is not in use until the copy can no longer be.
 *
 * On the other shard: a copy of the row above, then `arrived`, or `cancelled` while the copy is deleted.
 */
export type MoveStep =
  | 'copying'
  | 'stopping'
  | 'stopped'
  | 'arrived'
  | 'handed_over'
  | 'left'
  | 'cancelling'
  | 'cancelled'

export interface MoveState {
  step: MoveStep
  fromShard: number
  toShard: number
}

/** The steps of a move that is not finished, on the shard that the account leaves. */
export const changingSteps: readonly MoveStep[] = [
  'copying',
  'stopping',
  'stopped',
  'handed_over',
  'cancelling',
]

export async function readMove(db: Queryable, accountId: string): Promise<MoveState | null> {
  const [row] = await db.query<MoveState>(
    `select step, from_shard as "fromShard", to_shard as "toShard" from account_move where account_id = $1`,
    [accountId],
  )
  return row ?? null
}

/** Changes the step if it is one of `from`, which locks the row until the transaction ends. Tells whether it was. */
export async function changeStep(
  db: Queryable,
  accountId: string,
  from: readonly MoveStep[],
  to: MoveStep,
): Promise<boolean> {
  const rows = await db.query(
    `update account_move set step = $3, ended_at = case when $3 in ('left', 'cancelled') then now() end
     where account_id = $1 and step = any($2::text[])
     returning 1 as one`,
    [accountId, from, to],
  )
  return rows.length > 0
}

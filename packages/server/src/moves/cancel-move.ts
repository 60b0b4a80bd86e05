import { purgeMovedAccount } from '../maintenance/purge-moved-accounts.ts'
import { withMoveLocks } from './locks.ts'
import { changeStep, readMove } from './move-state.ts'
import type { Move } from './moved-account.ts'
import { unpublish } from './publication.ts'
import { resumeAccount } from './stop-account.ts'
import { unsubscribe } from './subscription.ts'

/**
 * Undoes a move: the source goes on, and the copy is deleted. Can be repeated after it was killed.
 * @throws Error if the other shard has the account already, or if nothing is to be undone
 */
export async function cancelMove(move: Move): Promise<void> {
  const { source, accountId } = move
  await withMoveLocks(move, async () => {
    if ((await readMove(move.target.db, accountId))?.step === 'arrived') throw new Error(tooLate)
    const isBegun = await changeStep(
      source.db,
      accountId,
      ['copying', 'stopping', 'stopped', 'cancelling'],
      'cancelling',
    )
    if (!isBegun) throw new Error((await readMove(source.db, accountId)) === null ? noMove : tooLate)
    await unsubscribe(move)
    if (!(await renounce(move))) {
      await changeStep(source.db, accountId, ['cancelling'], 'stopped')
      throw new Error(tooLate)
    }
    await resumeAccount(move)
    await unpublish(move)
    await purgeMovedAccount(move.target.db, accountId)
    await source.db.query(`delete from account_move where account_id = $1 and step = 'copying'`, [accountId])
  })
}

const noMove = 'no move of this account is under way'
const tooLate =
  'the other shard has the account already; repeat the command without --cancel to finish the move'

/** From then on, the other shard cannot become the owner. Tells whether it is not the owner yet. */
async function renounce({ source, target, accountId }: Move): Promise<boolean> {
  const rows = await target.db.query(
    // waits for a handing over that is being committed
    `insert into account_move as m (account_id, from_shard, to_shard, step, ended_at)
     values ($1, $2, $3, 'cancelled', now())
     on conflict (account_id) do update set step = 'cancelled', account = null, ended_at = now()
     where m.step <> 'arrived'
     returning 1 as one`,
    [accountId, source.number, target.number],
  )
  return rows.length > 0
}

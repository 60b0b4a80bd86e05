import { accountTables } from '../accounts/account-tables.ts'
import { copyRows } from './copy-rows.ts'
import type { Move } from './moved-account.ts'
import { changeStep, readMove } from './move-state.ts'
import { restoreAccount, startEndpoints } from './stop-account.ts'

const handedOver = accountTables.filter(({ transfer }) => transfer === 'handed_over')

/**
 * Makes the other shard the owner of the account, in one transaction there: either all of it happens, or nothing. The source
 * has stopped, and its changes no longer arrive. Does nothing if the other shard has the account already.
 * @throws Error if the move was undone
 */
export async function handOver(move: Move): Promise<void> {
  const { source, target, accountId } = move
  await source.db.transaction(async from => {
    await from.query('set transaction isolation level repeatable read, read only')
    await target.db.transaction(async to => {
      // locks the row, so that the move cannot be undone meanwhile
      if (!(await changeStep(to, accountId, ['stopped'], 'arrived'))) {
        if ((await readMove(to, accountId))?.step === 'arrived') return
        throw new Error('another command has undone this move')
      }
      for (const table of handedOver) await copyRows(from, to, accountId, table)
      await startEndpoints(to, accountId)
      await restoreAccount(to, accountId)
    })
  })
  // a hint for the dispatchers there
  await target.db.query(`select pg_notify('posthorn_due', 'move all')`)
}

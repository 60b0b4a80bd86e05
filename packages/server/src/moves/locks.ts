import type { Queryable } from '../db/database.ts'
import { allowLongTransaction, migrationLock } from '../db/migrate.ts'
import type { Move } from './moved-account.ts'
import { moveLock } from './wait-for-transactions.ts'

/** Runs its argument while no migration can run on either shard. */
export type WithoutMigrations = (work: () => Promise<void>) => Promise<void>

/**
 * Runs `work` while no other command moves this account. The locks are those of two open transactions, so they end with this
 * process.
 * @throws Error if another command moves it
 */
export async function withMoveLocks(
  { source, target, accountId }: Move,
  work: (withoutMigrations: WithoutMigrations) => Promise<void>,
): Promise<void> {
  await source.db.transaction(async onSource => {
    await lock(onSource, accountId)
    await target.db.transaction(async onTarget => {
      await lock(onTarget, accountId)
      await work(async inner => {
        const both = [onSource, onTarget]
        for (const tx of both) await tx.query('select pg_advisory_lock_shared($1)', [migrationLock])
        try {
          await inner()
        } finally {
          for (const tx of both) await tx.query('select pg_advisory_unlock_shared($1)', [migrationLock])
        }
      })
    })
  })
}

async function lock(tx: Queryable, accountId: string): Promise<void> {
  await tx.query('set local idle_in_transaction_session_timeout = 0')
  await allowLongTransaction(tx)
  const [row] = await tx.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock($1, ('x' || right($2, 8))::bit(32)::int) as locked`,
    [moveLock, accountId],
  )
  if (row?.locked !== true) throw new Error('another command moves this account; wait until it has ended')
}

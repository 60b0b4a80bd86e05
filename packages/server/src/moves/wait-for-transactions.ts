import type { Queryable } from '../db/database.ts'
import { migrationLock } from '../db/migrate.ts'

/** The class of the advisory locks of moves; the second number is the account code. */
export const moveLock = 0x6d6f7665

/**
 * Waits until every transaction that runs now has ended. Later ones see what is committed now.
 * @throws Error if one of them goes on for too long
 */
export async function waitForTransactions(
  db: Queryable,
  { wait, msMax }: { wait: (ms: number) => Promise<void>; msMax: number },
): Promise<void> {
  const [row] = await db.query<{ running: string[] }>(
    // each transaction holds a lock on its virtual id. Those of moves stay open while they run, and a process that starts
    // waits for the end of the move with a migration. Without the right to read it, the type of a session is null; only
    // sessions of roles have a user
    `select coalesce(array_agg(l.virtualtransaction), '{}') as running
     from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'virtualxid' and l.granted and l.mode = 'ExclusiveLock'
       and a.datname = current_database() and a.usesysid is not null
       and coalesce(a.backend_type, 'client backend') = 'client backend' and l.pid <> pg_backend_pid()
       and not exists (
         select from pg_locks m where m.pid = l.pid and m.locktype = 'advisory'
           and (m.classid = $1 or (m.classid = 0 and m.objid = $2 and not m.granted)))`,
    [moveLock, migrationLock],
  )
  const running = row?.running ?? []
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const [left] = await db.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'virtualxid' and virtualtransaction = any($1) limit 1`,
      [running],
    )
    if (left === undefined) return
    if (waitedMs >= msMax) {
      throw new Error(
        `a transaction of the source has been open for ${msMax / 1_000} seconds (pid ${left.pid}); end it and repeat the command`,
      )
    }
    await wait(pollMs)
  }
}

const pollMs = 20

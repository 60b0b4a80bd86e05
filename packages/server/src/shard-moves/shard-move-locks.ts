import { openUnpooled } from '../db/connections.ts'
import { migrationLock } from '../db/migrate.ts'
import type { ShardMove, ShardServer } from './shard-servers.ts'

/** The class of the advisory locks of these moves; the second number is that of the shard. */
export const shardMoveLock = 0x6d6f7673

/**
 * A session that holds the lock of a server. What could make two servers writable runs only here: without the lock, it fails,
 * because the session is lost.
 */
export interface LockedSession {
  run(statement: string, values?: readonly unknown[], msMax?: number): Promise<unknown[]>
}

export interface Locked {
  readonly onSource: LockedSession
  readonly onTarget: LockedSession
}

/**
 * Runs `work` while no other command moves this shard or another one of the same server. A standby keeps locks of its own, so
 * both servers need one. The locks end with this process.
 * @throws Error if another command moves it
 */
export async function withShardMoveLocks<T>(
  { number, source, target }: ShardMove,
  work: (locked: Locked) => Promise<T>,
): Promise<T> {
  await using opened = new AsyncDisposableStack()
  const onSource = opened.use(await lock(source, number))
  const onTarget = opened.use(await lock(target, number))
  return await work({ onSource, onTarget })
}

async function lock({ name, url }: ShardServer, number: number): Promise<LockedSession & AsyncDisposable> {
  const client = await openUnpooled(url)
  const session: LockedSession & AsyncDisposable = {
    run: async (text, values = [], msMax = 15_000) => {
      const question = { text, values: [...values], query_timeout: msMax }
      return (await client.query<object>(question)).rows
    },
    [Symbol.asyncDispose]: async () => await client.end(),
  }
  if (
    !(await isTrue(session, 'pg_try_advisory_lock($1, $2)', [shardMoveLock, number])) ||
    !(await isTrue(session, noOtherMove, [shardMoveLock]))
  ) {
    await client.end()
    throw new Error(
      `another command moves this shard, or another one of this server (its session on ${name} is open): wait until it has ended`,
    )
  }
  return session
}

/** An advisory lock belongs to one database, but a move concerns the whole server. The later of two commands sees both. */
const noOtherMove = `not exists (
  select from pg_locks where locktype = 'advisory' and classid = $1 and granted and pid <> pg_backend_pid())`

/** Runs a function that answers with yes or no. */
export async function isTrue(
  session: LockedSession,
  call: string,
  values: readonly unknown[],
  msMax?: number,
): Promise<boolean> {
  return (await session.run(`select where ${call}`, values, msMax)).length > 0
}

/** No migration begins until the move has ended. @throws Error if one is running */
export async function refuseMigrations({ onSource }: Locked): Promise<void> {
  if (!(await isTrue(onSource, 'pg_try_advisory_lock_shared($1)', [migrationLock])))
    throw new Error('a migration is running: repeat the command when it has ended')
}

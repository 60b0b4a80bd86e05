import { openShardServer, type ShardMove, type ShardServer } from './shard-servers.ts'
import { type Locked, shardMoveLock } from './shard-move-locks.ts'

const pollMs = 20
const msMax = 15_000

/**
 * Makes the source refuse writes and ends all its sessions. The setting is in a file of this server: it survives a restart,
 * and it does not reach the standby.
 * @returns the position in the write-ahead log that contains every commit
 */
export async function fence({ source, wait }: ShardMove, { onSource }: Locked): Promise<string> {
  await onSource.run('alter system set default_transaction_read_only = on')
  await onSource.run('select pg_reload_conf()')
  await waitForNewSessions(source, true, wait)
  await endSessions(source, wait)
  // unlike pg_current_wal_lsn(), it writes everything to the disk, and its position is one that a standby reaches
  const [row] = await source.db.query<{ lsn: string }>('select pg_switch_wal()::text as lsn')
  if (row === undefined) throw new Error(`${source.name} did not say where its log ends`)
  return row.lsn
}

/** Lets the source accept writes again. Only safe while the target is a standby, and nobody can promote it. */
export async function liftFence({ source, wait }: ShardMove, { onSource }: Locked): Promise<void> {
  await onSource.run('alter system reset default_transaction_read_only')
  await onSource.run('select pg_reload_conf()')
  await waitForNewSessions(source, false, wait)
}

/** Whether the fence is in the file, even if the server has not read it yet. */
export async function hasFence({ db }: ShardServer): Promise<boolean> {
  const rows = await db.query(
    `select from pg_file_settings
     where name = 'default_transaction_read_only' and sourcefile like '%postgresql.auto.conf'`,
  )
  return rows.length > 0
}

/** The server forks its sessions: once one has the new setting, all later ones have it. */
async function waitForNewSessions(
  server: ShardServer,
  isReadOnly: boolean,
  wait: ShardMove['wait'],
): Promise<void> {
  for (let waitedMs = 0; waitedMs < msMax; waitedMs += pollMs) {
    await using session = await openShardServer(server.url)
    const [row] = await session.db.query<{ is: boolean }>(
      `select current_setting('default_transaction_read_only')::boolean as is`,
    )
    if (row?.is === isReadOnly) return
    await wait(pollMs)
  }
  throw new Error(
    `${server.name} ${isReadOnly ? 'does not become' : 'stays'} read-only: look for default_transaction_read_only in its files`,
  )
}

/** Sessions may be in a transaction that began before the fence. Those of the standbys only read the log. */
async function endSessions({ name, db }: ShardServer, wait: ShardMove['wait']): Promise<void> {
  const old = await db.query<{ pid: number; startedAt: string }>(
    `select pid, backend_start::text as "startedAt" from pg_stat_activity a
     where datid is not null and backend_type not in ('walsender', 'autovacuum worker') and pid <> pg_backend_pid()
       and not exists (select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory' and l.classid = $1)`,
    [shardMoveLock],
  )
  const values = [old.map(({ pid }) => pid), old.map(({ startedAt }) => startedAt)]
  for (let waitedMs = 0; waitedMs < msMax; waitedMs += pollMs) {
    const left = await db.query(
      `select pg_terminate_backend(a.pid) from pg_stat_activity a
       join unnest($1::int[], $2::timestamptz[]) as old (pid, started_at)
         on old.pid = a.pid and old.started_at = a.backend_start`,
      values,
    )
    if (left.length === 0) return
    await wait(pollMs)
  }
  throw new Error(`a session on ${name} does not end: end its process, and repeat the command`)
}

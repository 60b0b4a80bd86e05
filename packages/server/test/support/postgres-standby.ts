import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Queryable } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import {
  findPostgres,
  newServerFolder,
  type PostgresInstallation,
  type PostgresServer,
  runAsServer,
  runPostgres,
  startPostgres,
} from './postgres-server.ts'
import type { DatabasePlace } from './test-database.ts'
import { until } from './until.ts'

/** Two real servers: the primary streams its commits to the standby. */
export interface ReplicatedPair extends AsyncDisposable {
  primary: PostgresServer
  standby: PostgresServer
  /** Their common database, with a URL that names both servers. */
  place: DatabasePlace
  /** Waits until the standby has received everything that the primary has written. */
  waitUntilStandbyHasAll(): Promise<void>
  /** Stops the stream, although the primary believes that the standby is connected. */
  stallReplication(): Promise<void>
  /** Makes the standby a primary. */
  promote(): void
  /** Starts the killed primary again as a standby of the new primary. */
  bringBackAsStandby(): void
  /** Runs statements on one of the two servers. */
  on<T>(server: PostgresServer, work: (db: Queryable) => Promise<T>): Promise<T>
}

/** `synchronous`: a commit waits until the standby has it too. */
export async function startReplicatedPair(
  installation: PostgresInstallation,
  { synchronous }: { synchronous: boolean },
): Promise<ReplicatedPair> {
  await using opened = new AsyncDisposableStack()
  const primary = opened.use(await startPostgres(installation))
  await on(primary, async db => await db.query('create database posthorn'), 'postgres')
  primary.stop('fast')
  const folder = newServerFolder()
  runAsServer('cp', ['-a', join(primary.folder, 'data'), folder])
  follow(folder, primary)
  primary.start()
  const standby = opened.use(runPostgres(installation, folder))
  await until('the standby streams', async () => (await readFollowers(primary)).length === 1)
  if (synchronous) {
    await on(primary, async db => {
      await db.query(`alter system set synchronous_standby_names = 'standby'`)
      await db.query('select pg_reload_conf()')
    })
    await until('it is synchronous', async () => (await readFollowers(primary)).includes('sync'))
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'posthorn-test-'))
  opened.defer(() => rmSync(dataDir, { recursive: true }))
  const [host, other] = [primary, standby].map(server => encodeURIComponent(server.folder))
  const all = opened.move()
  return {
    primary,
    standby,
    place: {
      databaseUrl: `postgres://posthorn@${host},${other}/posthorn?target_session_attrs=read-write`,
      dataDir,
      [Symbol.asyncDispose]: async () => {},
    },
    waitUntilStandbyHasAll: async () => {
      const [now] = await on(
        primary,
        async db => await db.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn'),
      )
      await until('the standby has all', async () => {
        const [row] = await on(
          standby,
          async db =>
            await db.query<{ has: boolean }>('select pg_last_wal_receive_lsn() >= $1::pg_lsn as has', [
              now?.lsn,
            ]),
        )
        return row?.has
      })
    },
    stallReplication: async () => {
      const [sender] = await on(
        primary,
        async db => await db.query<{ pid: number }>('select pid from pg_stat_replication'),
      )
      if (sender === undefined) throw new Error('the standby is not connected')
      process.kill(sender.pid, 'SIGSTOP')
    },
    promote: () =>
      runAsServer(join(installation.bin, 'pg_ctl'), ['--pgdata', join(folder, 'data'), 'promote']),
    bringBackAsStandby: () => {
      follow(primary.folder, standby)
      primary.start()
    },
    on,
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}

/** The newest available PostgreSQL. */
export function newestPostgres(): PostgresInstallation {
  const newest = findPostgres().at(-1)
  if (newest === undefined) throw new Error('no PostgreSQL on this machine: npm ci brings one')
  return newest
}

/** Makes the cluster in `folder` a standby of `primary`. */
function follow(folder: string, primary: PostgresServer): void {
  const data = join(folder, 'data')
  writeFileSync(join(data, 'standby.signal'), '')
  const source = `host=${primary.folder} user=posthorn application_name=standby`
  writeFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
}

async function readFollowers(primary: PostgresServer): Promise<string[]> {
  const rows = await on(
    primary,
    async db => await db.query<{ sync_state: string }>('select sync_state from pg_stat_replication'),
  )
  return rows.map(row => row.sync_state)
}

async function on<T>(
  server: PostgresServer,
  work: (db: Queryable) => Promise<T>,
  database = 'posthorn',
): Promise<T> {
  const url = server.url(database)
  await using db = await openDatabase({ url, dataDir: '', connectionsMax: 1, onLost: () => {} })
  return await work(db)
}

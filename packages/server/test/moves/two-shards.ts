import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database, Queryable } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { parseTypeId } from '../../src/domain/type-id.ts'
import { type Ended, posthorn } from '../cli/posthorn-process.ts'
import { newestPostgres } from '../support/postgres-standby.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { layOutSchema } from '../support/schema-template.ts'
import { until } from '../support/until.ts'
import { type Installation, newInstallation } from '../support/service-process.ts'

/** Shards 0 and 1 of one installation. */
export interface TwoShards extends AsyncDisposable {
  /** For the services of each shard: the same credentials and keys. */
  installations: readonly [Installation, Installation]
  /** Direct access to the databases, by number. */
  databases: readonly [Database, Database]
  /** Runs `posthorn` with the databases of both shards. */
  run(args: readonly string[], env?: Record<string, string>): Promise<Ended>
  /** The environment of such a command. `urls` replace those of the databases. */
  environment(urls?: Partial<Record<0 | 1, string>>): Record<string, string>
  urls: readonly [string, string]
  /** Which shards have the row of the account. */
  ownersOf(accountId: string): Promise<number[]>
  /** The shard of the account according to the directory. */
  placeOf(accountId: string): Promise<number>
  /** Restarts the server of a shard with another wal_level. */
  useWalLevel(shard: 0 | 1, level: 'logical' | 'replica'): Promise<void>
  /** The replication slots, publications and subscriptions of both servers. Nothing uses them but moves. */
  replication(): Promise<string[]>
}

/** @param servers whether each has a PostgreSQL server of its own */
export async function startTwoShards(
  installation = newestPostgres(),
  { servers: count }: { servers: 1 | 2 } = { servers: 2 },
): Promise<TwoShards> {
  await using opened = new AsyncDisposableStack()
  const dataDir = mkdtempSync(join(tmpdir(), 'posthorn-test-'))
  opened.defer(() => rmSync(dataDir, { recursive: true }))
  const start = async (): Promise<PostgresServer> => {
    const server = opened.use(await startPostgres(installation, tmpdir(), 64))
    useWalLevel(server, 'logical')
    return server
  }
  const open = async (server: PostgresServer, name: string): Promise<{ url: string; db: Database }> => {
    await onServer(server.url('postgres'), async db => await db.query(`create database ${name}`))
    const url = server.url(name)
    const db = opened.use(await openDatabase({ url, dataDir: '', connectionsMax: 5, onLost: () => {} }))
    await layOutSchema(db)
    return { url, db }
  }
  const firstServer = await start()
  const servers = [firstServer, count === 1 ? firstServer : await start()] as const
  const [first, second] = [await open(servers[0], 'posthorn'), await open(servers[1], 'posthorn_1')]
  await joinShard(first.db, second.db)
  const base = newInstallation({ databaseUrl: first.url, dataDir, [Symbol.asyncDispose]: async () => {} })
  const urls = [first.url, second.url] as const
  const databases = [first.db, second.db] as const
  const environment = (through: Partial<Record<0 | 1, string>> = {}): Record<string, string> => ({
    POSTHORN_SHARD_DATABASES: `0=${through[0] ?? urls[0]},1=${through[1] ?? urls[1]}`,
    POSTHORN_MASTER_KEYS: base.masterKeys,
  })
  const all = opened.move()
  return {
    installations: [base, { ...base, place: { ...base.place, databaseUrl: second.url } }],
    databases,
    urls,
    environment,
    run: async (args, env = {}) => await posthorn(args, { env: { ...environment(), ...env } }),
    ownersOf: async accountId => {
      const owns = await Promise.all(
        databases.map(async db => await db.query('select from account where id = $1', [uuid(accountId)])),
      )
      return owns.flatMap((rows, number) => (rows.length > 0 ? [number] : []))
    },
    placeOf: async accountId => {
      const [row] = await first.db.query<{ shard: number }>(
        'select shard from placement where account_id = $1',
        [uuid(accountId)],
      )
      return row?.shard ?? -1
    },
    useWalLevel: async (shard, level) => {
      useWalLevel(servers[shard], level)
      await until('its connections work again', async () => {
        return await databases[shard].query('select 1 as one').catch(() => null)
      })
    },
    replication: async () => {
      const found = await Promise.all(
        databases.map(async db => await db.query<{ name: string }>(replicationNames)),
      )
      return found.flat().map(({ name }) => name)
    },
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}

const replicationNames = `
select 'slot ' || slot_name as name from pg_replication_slots
union all select 'publication ' || pubname from pg_publication
union all select 'subscription ' || subname from pg_subscription`

function uuid(accountId: string): string {
  return parseTypeId('acct', accountId) ?? ''
}

function useWalLevel(server: PostgresServer, level: 'logical' | 'replica'): void {
  server.stop('fast')
  // of several lines, the last one counts
  appendFileSync(join(server.folder, 'data', 'postgresql.conf'), `wal_level = ${level}\n`)
  server.start()
}

/** Makes the second database shard 1 of the first one's installation. */
async function joinShard(first: Queryable, second: Queryable): Promise<void> {
  const [row] = await first.query<{ id: string }>('select id from installation')
  await second.query('update installation set id = $1, shard = 1', [row?.id])
  await first.query(`insert into shard (number) values (1)`)
}

async function onServer(url: string, work: (db: Queryable) => Promise<unknown>): Promise<void> {
  await using db = await openDatabase({ url, dataDir: '', connectionsMax: 1, onLost: () => {} })
  await work(db)
}

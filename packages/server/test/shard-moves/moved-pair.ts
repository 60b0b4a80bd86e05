import type { Database, Queryable } from '../../src/db/database.ts'
import { layOutSchema } from '../support/schema-template.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { type Ended, posthorn } from '../cli/posthorn-process.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { newestPostgres, type ReplicatedPair, startReplicatedPair } from '../support/postgres-standby.ts'

/** Shard 0 on a server with a standby. */
export interface MovedPair extends AsyncDisposable {
  pair: ReplicatedPair
  /** `host:port` of a server, as `--to` names it. */
  nameOf(server: PostgresServer): string
  /** The environment of the command. `urls` replaces those of old and new server. */
  environment(urls?: readonly [string, string]): Record<string, string>
  /** Runs `posthorn shards move 0 --to <standby>` with more arguments. */
  move(...args: string[]): Promise<Ended>
  /** Whether the server refuses writes. */
  isReadOnly(server: PostgresServer): Promise<boolean>
  /** How many of the two servers accept writes. */
  writable(): Promise<number>
}

export async function startMovedPair(): Promise<MovedPair> {
  await using opened = new AsyncDisposableStack()
  const pair = opened.use(await startReplicatedPair(newestPostgres(), { synchronous: false }))
  await using db: Database = await openDatabase({
    url: pair.primary.url('posthorn'),
    dataDir: '',
    connectionsMax: 2,
    onLost: () => {},
  })
  await layOutSchema(db)
  await pair.waitUntilStandbyHasAll()
  const nameOf = ({ folder }: PostgresServer): string => `${folder}:5432`
  const environment: MovedPair['environment'] = (
    urls = [pair.primary.url('posthorn'), pair.standby.url('posthorn')],
  ) => ({ POSTHORN_SHARD_DATABASES: `0=${severalHosts(urls)}` })
  const isReadOnly = async (server: PostgresServer): Promise<boolean> => await pair.on(server, readOnly)
  const all = opened.move()
  return {
    pair,
    nameOf,
    environment,
    move: async (...args) =>
      await posthorn(['shards', 'move', '0', '--to', nameOf(pair.standby), ...args], { env: environment() }),
    isReadOnly,
    writable: async () => {
      const refuse = await Promise.all([pair.primary, pair.standby].map(isReadOnly))
      return refuse.filter(refuses => !refuses).length
    },
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}

/** One URL for several servers, as an operator writes it. */
export function severalHosts([first, second]: readonly [string, string]): string {
  const hostIn = (url: string): string => /@([^/]+)/.exec(url)?.[1] ?? ''
  return first.replace(hostIn(first), `${hostIn(first)},${hostIn(second)}`)
}

async function readOnly(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ refuses: boolean }>(
    `select current_setting('transaction_read_only')::boolean as refuses`,
  )
  return row?.refuses === true
}

import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/open-database.ts'
import { hostOf, splitHosts } from '../db/split-hosts.ts'
import type { ShardDatabaseUrl } from '../domain/shard-databases.ts'

/** One of the two servers of a shard that moves. */
export interface ShardServer {
  /** `host:port` */
  readonly name: string
  readonly url: string
  readonly db: Database
}

/** What every step of a shard's move needs. */
export interface ShardMove {
  readonly number: number
  /** The server that has the shard. */
  readonly source: ShardServer
  /** Its standby on the new machine. */
  readonly target: ShardServer
  readonly wait: (ms: number) => Promise<void>
}

const connectionsMax = 1

/**
 * Opens both servers of a shard.
 * @param to the new server, as its host or `host:port`
 * @throws Error if the URL does not name two servers, or one of them does not answer
 */
export async function openShardServers(
  { number, url }: ShardDatabaseUrl,
  to: string,
  wait: ShardMove['wait'],
): Promise<AsyncDisposable & { move: ShardMove }> {
  const urls = splitHosts(url)
  if (urls.length !== 2) {
    throw new Error(
      `POSTHORN_SHARD_DATABASES must name two servers for shard ${number}: ${number}=postgres://…@old:5432,new:5432/…`,
    )
  }
  const [targetUrl, ambiguous] = urls.filter(one =>
    [hostOf(one), hostOf(one).replace(/:\d+$/, '')].includes(to),
  )
  const sourceUrl = urls.find(one => one !== targetUrl)
  if (targetUrl === undefined || sourceUrl === undefined || ambiguous !== undefined) {
    throw new Error(`--to must be ${urls.map(hostOf).join(' or ')}, as in POSTHORN_SHARD_DATABASES`)
  }
  await using opened = new AsyncDisposableStack()
  const source = opened.use(await openShardServer(sourceUrl))
  const target = opened.use(await openShardServer(targetUrl))
  const all = opened.move()
  return {
    move: { number, source, target, wait },
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}

/** @throws Error if the server does not answer */
export async function openShardServer(url: string): Promise<ShardServer & AsyncDisposable> {
  const name = hostOf(url)
  try {
    const db = await openDatabase({ url, dataDir: '', connectionsMax, onLost: () => {} })
    return { name, url, db, [Symbol.asyncDispose]: async () => await db[Symbol.asyncDispose]() }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${name} does not answer: ${reason}`, { cause: error })
  }
}

import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/open-database.ts'
import type { ShardDatabaseUrl } from '../domain/shard-databases.ts'
import type { ShardDatabase } from './moved-account.ts'

/** The open transaction that holds the locks, two for copying rows, and one for single statements. */
const connectionsMax = 4

/**
 * Opens the database of each shard.
 * @throws Error if one does not answer, or is not that of its shard
 */
export async function openShards(
  addresses: readonly ShardDatabaseUrl[],
): Promise<AsyncDisposable & { shards: ReadonlyMap<number, ShardDatabase> }> {
  await using opened = new AsyncDisposableStack()
  const shards = new Map<number, ShardDatabase>()
  for (const { number, url } of addresses) {
    shards.set(number, { number, url, db: opened.use(await openShard(number, url)) })
  }
  const all = opened.move()
  return { shards, [Symbol.asyncDispose]: async () => await all.disposeAsync() }
}

/** @throws Error if the database does not answer, or is not that of this shard */
async function openShard(number: number, url: string): Promise<Database> {
  try {
    await using opened = new AsyncDisposableStack()
    const db = opened.use(await openDatabase({ url, dataDir: '', connectionsMax, onLost: () => {} }))
    const [row] = await db.query<{ shard: number }>('select shard from installation')
    if (row?.shard !== number) throw new Error(`it is that of shard ${row?.shard}`)
    opened.move()
    return db
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`the database of shard ${number} in POSTHORN_SHARD_DATABASES cannot be used: ${reason}`, {
      cause: error,
    })
  }
}

import { openDatabase } from '../db/open-database.ts'
import type { ShardDatabaseUrl } from '../domain/shard-databases.ts'
import type { ShardDatabase } from './moved-account.ts'

/** The open transaction that holds the locks, two for copying rows, and one for single statements. */
const connectionsMax = 4

/** Opens the database of each shard. */
export async function openShards(
  addresses: readonly ShardDatabaseUrl[],
): Promise<AsyncDisposable & { shards: ReadonlyMap<number, ShardDatabase> }> {
  await using opened = new AsyncDisposableStack()
  const shards = new Map<number, ShardDatabase>()
  for (const { number, url } of addresses) {
    const db = opened.use(await openDatabase({ url, dataDir: '', connectionsMax, onLost: () => {} }))
    shards.set(number, { number, url, db })
  }
  const all = opened.move()
  return { shards, [Symbol.asyncDispose]: async () => await all.disposeAsync() }
}

import { askShard } from '../../shards/ask-shard.ts'
import { type DirectoryPage, directoryPage, type Placement } from '../../shards/internal-api.ts'
import type { ShardClient } from '../../shards/shard-client.ts'

/** The directory in shard 0, all pages. */
export async function readWholeDirectory(zero: ShardClient): Promise<Omit<DirectoryPage, 'more'>> {
  // a placement that changes in the meantime is on a later page again
  const placements = new Map<string, Placement>()
  for (let after = 0; ; ) {
    const page = await askShard(zero, { method: 'GET', path: `/directory?after=${after}` }, directoryPage)
    for (const placement of page.placements) placements.set(placement.account_id, placement)
    if (!page.more) return { ...page, placements: [...placements.values()] }
    after = page.version
  }
}

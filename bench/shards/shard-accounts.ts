import { typeId } from '../../packages/server/src/domain/type-id.ts'
import { openPlace } from '../../packages/server/test/support/open-place.ts'
import type { StartedShard } from './start-shards.ts'

/** The ids of the accounts that a shard owns. */
export async function shardAccounts({ place }: Pick<StartedShard, 'place'>): Promise<Set<string>> {
  await using db = await openPlace(place)
  const rows = await db.query<{ id: string }>('select id from account')
  return new Set(rows.map(({ id }) => typeId('acct', id)))
}

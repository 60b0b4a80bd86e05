import { askShard } from '../../shards/ask-shard.ts'
import { accountsHere, shardDescription } from '../../shards/internal-api.ts'
import { CommandError } from '../command-error.ts'
import type { Shards } from './with-shards.ts'

/**
 * The ids of the accounts that each shard owns.
 * @throws CommandError if a shard belongs to another installation
 */
export async function readShardAccounts(
  { all }: Shards,
  installationId: string,
): Promise<Map<number, string[]>> {
  const accounts = new Map<number, string[]>()
  for (const [number, shard] of all) {
    const found = await askShard(shard, { method: 'GET', path: '/shard' }, shardDescription)
    if (found.installation_id !== installationId) {
      throw new CommandError(
        'other_installation',
        `shard ${number} (${shard.url}) belongs to another installation than shard 0: correct POSTHORN_SHARDS`,
      )
    }
    const ids: string[] = []
    for (let after = ''; ; ) {
      const path = after === '' ? '/accounts' : `/accounts?after=${after}`
      const page = await askShard(shard, { method: 'GET', path }, accountsHere)
      ids.push(...page.account_ids)
      const last = page.account_ids.at(-1)
      if (!page.more || last === undefined) break
      after = last
    }
    accounts.set(number, ids)
  }
  return accounts
}

import { compareDirectory, type Disagreement } from '../../domain/compare-directory.ts'
import { uuidV7Ms } from '../../domain/uuid-v7.ts'
import { askShard } from '../../shards/ask-shard.ts'
import { accountHere } from '../../shards/internal-api.ts'
import { CommandError } from '../command-error.ts'
import { readShardAccounts } from './read-shard-accounts.ts'
import { readWholeDirectory } from './read-whole-directory.ts'
import type { Shards } from './with-shards.ts'

export interface Examination {
  /** The version of the directory that was compared. */
  readonly version: number
  readonly placements: number
  readonly moving: readonly string[]
  /** How many accounts the shards have. */
  readonly accounts: number
  readonly disagreements: readonly Disagreement[]
  /** Placements of deleted accounts whose data is gone. They do no harm. */
  readonly leftovers: readonly string[]
  /** Shards of the installation that the directory does not have. */
  readonly missingShards: readonly number[]
}

/**
 * Compares the directory with every shard.
 * @throws CommandError if POSTHORN_SHARDS lacks a shard or names one of another installation
 */
export async function examineDirectory(shards: Shards): Promise<Examination> {
  const directory = await readWholeDirectory(shards.zero)
  const unnamed = directory.shards.find(({ number }) => !shards.all.has(number))
  if (unnamed !== undefined) {
    throw new CommandError(
      'shard_missing',
      `POSTHORN_SHARDS lacks shard ${unnamed.number} of the directory: add it`,
    )
  }
  const { placements, version } = directory
  const accounts = await readShardAccounts(shards, directory.installation_id)
  const disagreements: Disagreement[] = []
  const leftovers: string[] = []
  for (const found of compareDirectory(placements, accounts)) {
    if (found.problem !== 'no_account') {
      disagreements.push(found)
      continue
    }
    const state = await stateOf(shards, found)
    if (state === 'deleted') leftovers.push(found.account_id)
    else if (state === 'lost') disagreements.push(found)
  }
  return {
    version,
    placements: placements.length,
    moving: placements.filter(({ moving }) => moving).map(({ account_id }) => account_id),
    accounts: [...accounts.values()].reduce((sum, ids) => sum + ids.length, 0),
    disagreements,
    leftovers,
    missingShards: [...shards.all.keys()].filter(
      number => !directory.shards.some(shard => shard.number === number),
    ),
  }
}

/** A front creates an account seconds after it has reserved its place. */
const createdWithinMs = 3_600_000

async function stateOf(
  { all }: Shards,
  { account_id, placed_on }: { account_id: string; placed_on: number },
): Promise<'deleted' | 'new' | 'lost'> {
  const shard = all.get(placed_on)
  if (shard === undefined) return 'lost'
  const { state } = await askShard(shard, { method: 'GET', path: `/accounts/${account_id}` }, accountHere)
  if (state === 'deleted') return 'deleted'
  const isNew = state === 'present' || Date.now() - uuidV7Ms(account_id) < createdWithinMs
  return isNew ? 'new' : 'lost'
}

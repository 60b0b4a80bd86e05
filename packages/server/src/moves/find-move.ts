import { changingSteps, readMove } from './move-state.ts'
import { type Move, moveName, type ShardDatabase } from './moved-account.ts'
import { readPlacement } from './placement.ts'

/**
 * Finds out where the account is. A move that was not finished says so itself, because the directory may already have changed.
 * @param to the number of the other shard; null for that of an unfinished move
 * @throws Error if the account is unknown, or is there already
 */
export async function findMove(
  shards: ReadonlyMap<number, ShardDatabase>,
  accountId: string,
  to: number | null,
  wait: Move['wait'],
): Promise<Move> {
  const directory = shardOf(shards, 0)
  const make = (source: ShardDatabase, target: ShardDatabase): Move => {
    return { accountId, source, target, directory, name: moveName(accountId), wait }
  }
  for (const source of shards.values()) {
    const state = await readMove(source.db, accountId)
    if (state === null || state.fromShard !== source.number || !changingSteps.includes(state.step)) continue
    if (to !== null && to !== state.toShard) {
      throw new Error(
        `the account already moves to shard ${state.toShard}; finish that with --to ${state.toShard}, or undo it with --cancel`,
      )
    }
    return make(source, shardOf(shards, state.toShard))
  }
  if (to === null) throw new Error('no move of this account is under way')
  const placement = await readPlacement(directory.db, accountId)
  if (placement === null) throw new Error('the directory does not have this account')
  if (placement.shard === to) throw new Error(`the account is on shard ${to} already`)
  return make(shardOf(shards, placement.shard), shardOf(shards, to))
}

function shardOf(shards: ReadonlyMap<number, ShardDatabase>, number: number): ShardDatabase {
  const shard = shards.get(number)
  if (shard === undefined) throw new Error(`POSTHORN_SHARD_DATABASES does not name shard ${number}`)
  return shard
}

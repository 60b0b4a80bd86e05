import { ConfigError, readShardSettings } from '../../config.ts'
import { ShardRefusal } from '../../shards/ask-shard.ts'
import { ShardClient } from '../../shards/shard-client.ts'
import { ShardUnavailable } from '../../shards/shard-unavailable.ts'
import { systemClock } from '../../system-clock.ts'
import { CommandError, UsageError } from '../command-error.ts'

/** Where commands about shards find them, for their help. */
export const shardsNote =
  'Needs POSTHORN_SHARDS and POSTHORN_SHARD_KEYS with the same values as on the fronts. No front has to run.'

/** The shards of the installation, by number. */
export interface Shards {
  readonly zero: ShardClient
  readonly all: ReadonlyMap<number, ShardClient>
}

/**
 * Runs a command with a connection to each shard.
 * @throws CommandError if a shard does not answer or refuses
 */
export async function withShards<Result>(run: (shards: Shards) => Promise<Result>): Promise<Result> {
  using opened = new DisposableStack()
  try {
    const { shards, shardKeys: keys } = readShardSettings()
    const all = new Map(
      shards.map(address => [
        address.number,
        opened.use(new ShardClient({ ...address, keys, clock: systemClock })),
      ]),
    )
    const zero = all.get(0)
    if (zero === undefined) throw new ConfigError('POSTHORN_SHARDS: shard 0 is missing')
    return await run({ zero, all })
  } catch (error) {
    if (error instanceof ConfigError)
      throw new CommandError('setting_invalid', error.message, { cause: error })
    if (error instanceof ShardRefusal) throw new CommandError(error.code, error.message, { cause: error })
    if (error instanceof ShardUnavailable) {
      throw new CommandError('shard_unavailable', error.message, { cause: error })
    }
    throw error
  }
}

/** The operand of commands about one shard. */
export const shardOperand = { name: 'shard', meaning: 'The number of the shard, as in POSTHORN_SHARDS.' }

/** @throws UsageError, CommandError if POSTHORN_SHARDS does not have it */
export function shardNamed({ all }: Shards, text: string): ShardClient {
  if (!/^\d{1,3}$/.test(text)) throw new UsageError(`<shard> must be a number from 0 to 999, not "${text}"`)
  const shard = all.get(Number(text))
  if (shard === undefined) {
    throw new CommandError('shard_unknown', `POSTHORN_SHARDS has no shard ${text}: add its number and URL`)
  }
  return shard
}

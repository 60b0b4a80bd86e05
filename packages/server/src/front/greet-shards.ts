import { ConfigError } from '../config.ts'
import { directoryFlaw } from '../domain/shard-flaw.ts'
import type { Log } from '../log.ts'
import { ShardUnavailable } from '../shards/shard-unavailable.ts'
import type { Directory } from './directory.ts'
import type { Shard } from './shard.ts'

/**
 * Asks every shard who it is before the front serves anyone. A shard that does not answer is asked again later.
 * @throws ConfigError if the settings are wrong, or two directories disagree
 */
export async function greetShards({
  shards,
  directory,
  log,
}: {
  shards: ReadonlyMap<number, Shard>
  directory: Directory
  log: Pick<Log, 'error'>
}): Promise<void> {
  const [first, ...others] = [...shards.values()].toSorted((a, b) => a.number - b.number)
  if (first === undefined) throw new ConfigError('POSTHORN_SHARDS is empty')
  // shard 0 says which installation the others must belong to
  await greet(first)
  if (first.trouble === null) await directory.refresh()
  await Promise.all(others.map(greet))
  if (!directory.isKnown) return
  // read after the shards, because a place is reserved before its account exists
  await directory.refresh()
  const flaw = directoryFlaw(
    [...shards.values()].map(({ number, description }) => ({
      number,
      accounts: description?.accounts ?? null,
      placed: directory.count(number),
      arriving: directory.countMovingFromOthers(number),
      isInDirectory: directory.shards.has(number),
    })),
  )
  if (flaw !== null) throw new ConfigError(flaw)
  for (const number of directory.shards.keys()) {
    if (shards.has(number)) continue
    log.error({ shard: number }, 'POSTHORN_SHARDS lacks a shard of the directory: its accounts get 503')
  }
}

async function greet(shard: Shard): Promise<void> {
  try {
    await shard.look()
  } catch (error) {
    if (!(error instanceof ShardUnavailable)) throw error
    if (error.isMisconfigured) throw new ConfigError(error.message, { cause: error })
  }
}

import { ConfigError } from './config.ts'
import type { Installation } from './directory/read-installation.ts'

/**
 * Without the keys, a shard would answer everyone, and create accounts that the directory does not know.
 * @throws ConfigError
 */
export function refuseUnguardedShard({ shard, hasOthers }: Installation): void {
  if (shard === 0 && !hasOthers) return
  throw new ConfigError(
    `this database is shard ${shard} of an installation with several: set POSTHORN_SHARD_KEYS to the keys of its fronts`,
  )
}

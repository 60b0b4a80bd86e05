/** What a front knows about a shard when it decides whether to use it. */
export interface ShardFacts {
  readonly installationId: string
  /** The number of its newest migration. */
  readonly schema: number
}

/** What the front expects. */
export interface ShardExpectation {
  /** Null before shard 0 has answered. */
  readonly installationId: string | null
  /** The number of the newest migration that the front knows. */
  readonly schema: number
}

/** Why a front must not use a shard; null if it may. */
export function shardFlaw(shard: ShardFacts, { installationId, schema }: ShardExpectation): string | null {
  if (installationId !== null && shard.installationId !== installationId) {
    return 'it belongs to another installation: correct POSTHORN_SHARDS'
  }
  if (shard.schema > schema) {
    return `its schema has version ${shard.schema}, but this front knows only ${schema}: upgrade the front first`
  }
  if (shard.schema < schema - 1) {
    return `its schema has version ${shard.schema}, but this front needs ${schema - 1} or ${schema}: upgrade the shard`
  }
  return null
}

/** A configured shard and what the directory says about it. */
export interface PlacedShard {
  readonly number: number
  /** How many accounts the shard has; null if it has not answered. */
  readonly accounts: number | null
  /** How many accounts the directory places on it. */
  readonly placed: number
  /** How many accounts are moving from other shards. The new one of a move that was interrupted may have the account already. */
  readonly arriving: number
  readonly isInDirectory: boolean
}

/** Why the shards do not fit the directory; null if they do. */
export function directoryFlaw(shards: readonly PlacedShard[]): string | null {
  for (const { number, accounts, placed, arriving, isInDirectory } of shards) {
    if (!isInDirectory) {
      return `POSTHORN_SHARDS has shard ${number}, but the directory in shard 0 does not: add it with posthorn shards add`
    }
    if (accounts !== null && accounts > placed + arriving) {
      return `shard ${number} has ${accounts} accounts, but the directory in shard 0 places ${placed} there: run posthorn directory check`
    }
  }
  return null
}

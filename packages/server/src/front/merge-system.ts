import type { System } from '@posthorn/contract'
import type { ShardReply } from './ask-all-shards.ts'

/**
 * The answer of one shard about itself, with a list of all shards.
 *
 * @param chosen the number of the shard; null for the first that is up
 * @returns null if that shard is down
 */
export function mergeSystem(replies: readonly ShardReply[], chosen: number | null): System | null {
  const shown = replies.find(({ shard, answer }) => (chosen === null ? answer !== null : shard === chosen))
  if (shown === undefined || shown.answer === null) return null
  return { ...(shown.answer.body as System), shard: shown.shard, shards: replies.map(shardOf) }
}

function shardOf({ shard, answer, problem }: ShardReply): NonNullable<System['shards']>[number] {
  const system = answer === null ? null : (answer.body as System)
  return {
    number: shard,
    state: system === null ? 'down' : 'up',
    problem,
    version: system?.version ?? null,
    schema_version: system?.schema_version ?? null,
    database_size_bytes: system?.database.size_bytes ?? null,
    process_count: system?.processes.length ?? null,
  }
}

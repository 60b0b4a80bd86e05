import { Verdict } from './verdict.tsx'

/** Says that a list lacks the items of shards that are down; nothing if it is complete. */
export function MissingShards({ shards }: { shards: readonly number[] }) {
  if (shards.length === 0) return null
  const which = shards.length === 1 ? `shard ${shards[0]} does` : `shards ${shards.join(', ')} do`
  return <Verdict tone="failed" headline={`This list is incomplete, because ${which} not answer.`} />
}

import { balance } from '../support/balance.ts'
import type { Ledger } from '../support/receiver-process.ts'
import type { Reported } from './reported.ts'
import { shardAccounts } from './shard-accounts.ts'
import type { StartedShard } from './start-shards.ts'

/** Each shard must have stored exactly its events, and each event must have arrived exactly once. */
export async function ledger(
  shards: readonly StartedShard[],
  reported: Reported,
  arrived: Ledger,
): Promise<string[]> {
  const faults =
    arrived.deliveries === reported.count
      ? []
      : [`${reported.count} events accepted, ${arrived.deliveries} arrived`]
  for (const shard of shards) {
    const expected = await eventsOf(shard, reported)
    const found = await balance(shard.place, { accepted: expected, deliveries: expected, arrived })
    faults.push(...found.map(fault => `shard ${shard.number}: ${fault}`))
  }
  return faults
}

/** How many events were reported for the accounts of a shard. */
export async function eventsOf(shard: StartedShard, { accepted }: Reported): Promise<number> {
  const owned = await shardAccounts(shard)
  return [...accepted].reduce((sum, [account, count]) => sum + (owned.has(account) ? count : 0), 0)
}

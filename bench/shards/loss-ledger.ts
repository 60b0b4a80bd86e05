import { openPlace } from '../../packages/server/test/support/open-place.ts'
import { until } from '../../packages/server/test/support/until.ts'
import { balance } from '../support/balance.ts'
import type { LoadReport } from '../support/load-plan.ts'
import type { ReceiverProcess } from '../support/receiver-process.ts'
import type { StartedShard } from './start-shards.ts'

/** Every report of the other shard must be accepted, stored and delivered exactly once. */
export async function othersLedger(
  shard: StartedShard,
  reports: readonly LoadReport[],
  receiver: ReceiverProcess,
): Promise<string[]> {
  const accepted = reports.reduce((sum, report) => sum + report.accepted, 0)
  const requests = reports.reduce((sum, report) => sum + report.requests, 0)
  await arrivals(receiver, 'others', accepted)
  await shard.service.stop()
  const arrived = await receiver.ledger()
  const distinct = (await receiver.latencies())['others']?.latencyMs.length ?? 0
  const delivered = arrived.acknowledged['others'] ?? 0
  return [
    ...(accepted === requests ? [] : [`${requests - accepted} reports of the other shard refused`]),
    ...(distinct === accepted ? [] : [`the others: ${accepted} events accepted, ${distinct} arrived`]),
    ...(delivered === distinct ? [] : [`the others: ${delivered - distinct} requests were duplicates`]),
    ...(await balance(shard.place, {
      accepted,
      deliveries: accepted,
      arrived: { ...arrived, requests: delivered, deliveries: distinct },
    })),
  ]
}

/**
 * A report that got 503 may have been stored before the database was lost, so the shard may have more events than it
 * accepted. It must have all that it accepted, and deliver all that it has.
 */
export async function lostLedger(
  shard: StartedShard,
  reports: readonly LoadReport[],
  receiver: ReceiverProcess,
): Promise<string[]> {
  const accepted = reports.reduce((sum, report) => sum + report.accepted, 0)
  const unanswered = reports.reduce((sum, report) => sum + report.unanswered, 0)
  const others = reports.flatMap(({ refused }) => Object.keys(refused)).filter(status => status !== '503')
  const stored = await countEvents(shard)
  await arrivals(receiver, 'lost', stored)
  await shard.service.stop()
  const arrived = await receiver.ledger()
  const distinct = (await receiver.latencies())['lost']?.latencyMs.length ?? 0
  return [
    ...(unanswered === 0 ? [] : [`${unanswered} reports of the lost shard got no answer`]),
    ...(others.length === 0 ? [] : [`reports of the lost shard got ${others.join(', ')}`]),
    ...(stored >= accepted ? [] : [`the lost shard: ${accepted} events accepted, ${stored} stored`]),
    ...(distinct === stored ? [] : [`the lost shard: ${stored} events stored, ${distinct} arrived`]),
    ...(await balance(shard.place, {
      accepted: stored,
      deliveries: stored,
      arrived: { ...arrived, deliveries: distinct },
      duplicatesAllowed: true,
    })),
  ]
}

async function arrivals(receiver: ReceiverProcess, group: string, count: number): Promise<void> {
  await until(
    `${count} deliveries arrived under /${group}/`,
    async () => ((await receiver.latencies())[group]?.latencyMs.length ?? 0) >= count,
  )
}

async function countEvents({ place }: StartedShard): Promise<number> {
  await using db = await openPlace(place)
  const [row] = await db.query<{ count: number }>('select count(*)::int as count from event')
  return row?.count ?? 0
}

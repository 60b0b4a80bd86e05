import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { cpuTimeMs } from '../support/cpu-time.ts'
import { databaseWork } from '../support/database-work.ts'
import type { Traffic } from './reported.ts'
import { startStage } from './stage.ts'
import type { ShardedInstallation } from './start-shards.ts'

/** How the events are sent: through a front to so many shards, or to one shard without a front. */
export interface Topology {
  shards: number
  hasFront: boolean
}

export interface Load {
  /** Outcomes of each kind for each shard before the measurement, so that every process has compiled its hot code. */
  warmUp: number
  /** Outcomes of each kind during the measurement. */
  outcomes: number
}

/** What one event costs. */
export interface Cost {
  /** CPU in microseconds. */
  services: number
  front: number
  databases: number
  /** Bytes written to the WAL, and bytes added to tables and indexes. */
  logBytes: number
  storedBytes: number
}

/** A run of all kinds of traffic, with their costs in the same order. */
export interface CostRun {
  costs: Cost[]
  unbalanced: string[]
}

/** Reports outcomes of each kind to new databases, and measures what one event costs until it is delivered. */
export async function measureCost(
  topology: Topology,
  traffics: readonly Traffic[],
  load: Load,
  servers: readonly PostgresServer[],
): Promise<CostRun> {
  await using stage = await startStage(servers.slice(0, topology.shards), topology)
  for (const traffic of traffics) await stage.deliver(traffic, load.warmUp * topology.shards * traffic.share)
  const costs: Cost[] = []
  for (const traffic of traffics) {
    const before = await spent(stage.installation)
    const outcomes = load.outcomes * traffic.share
    await stage.deliver(traffic, outcomes)
    const after = await spent(stage.installation)
    const perEvent = (part: keyof Cost): number => (after[part] - before[part]) / outcomes
    costs.push({
      services: perEvent('services'),
      front: perEvent('front'),
      databases: perEvent('databases'),
      logBytes: perEvent('logBytes'),
      storedBytes: perEvent('storedBytes'),
    })
  }
  return { costs, unbalanced: await stage.end() }
}

/** What the installation has spent so far. */
export async function spent({ shards, front }: ShardedInstallation): Promise<Cost> {
  const works = await Promise.all(shards.map(async ({ place }) => await databaseWork(place)))
  const cpuUs = (pids: number[]): number => pids.reduce((all, pid) => all + cpuTimeMs(pid) * 1_000, 0)
  return {
    services: cpuUs(shards.map(({ service }) => service.pid)),
    front: cpuUs(front === null ? [] : [front.pid]),
    databases: cpuUs(shards.map(({ postgres }) => postgres.pid())),
    logBytes: works.reduce((sum, work) => sum + (work?.log ?? Number.NaN), 0),
    storedBytes: works.reduce((sum, work) => sum + (work?.stored ?? Number.NaN), 0),
  }
}

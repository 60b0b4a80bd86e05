import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { atMost, type Bench, type BenchResult, type BenchRow, type Scale } from '../support/bench.ts'
import { median } from '../support/median.ts'
import { startBenchPostgres } from '../support/place.ts'
import { costRows, costTable } from './cost-rows.ts'
import { type LargeIndexes, measureLargeIndexes } from './large-indexes.ts'
import { loseShard, type Loss, type LossPlan, type LossRun } from './lose-a-shard.ts'
import { type CostRun, type Load, measureCost, type Topology } from './measure-cost.ts'
import type { Traffic } from './reported.ts'
import { measureStandby, type StandbyRun } from './standby.ts'

/** The first is the one that the others are compared with. */
const topologies: Record<Scale, Topology[]> = {
  quick: [
    { shards: 1, hasFront: false },
    { shards: 2, hasFront: true },
  ],
  full: [
    { shards: 1, hasFront: false },
    { shards: 1, hasFront: true },
    { shards: 2, hasFront: true },
    { shards: 4, hasFront: true },
  ],
}

const operator: Traffic = { from: 'operator', outcomesPerReport: 500, connections: 4, share: 1 }
const traffics: readonly Traffic[] = [
  operator,
  { from: 'key holders', outcomesPerReport: 50, connections: 16, share: 1 },
  { from: 'key holders', outcomesPerReport: 1, connections: 64, share: 0.2 },
]

const loads: Record<Scale, Load> = {
  quick: { warmUp: 500, outcomes: 1_000 },
  full: { warmUp: 15_000, outcomes: 20_000 },
}

const histories = {
  quick: { outcomeIds: 2_000, events: 2_000 },
  full: { outcomeIds: 5_000_000, events: 2_000_000 },
}

interface Case {
  lost: number
  loss: Loss
}

const losses: readonly Case[] = [
  { lost: 1, loss: 'frozen' },
  // the shard with the directory
  { lost: 0, loss: 'stopped' },
]

const lossPlans: Record<Scale, LossPlan> = {
  quick: {
    accounts: 4,
    perSecond: 40,
    warmUpSeconds: 1,
    beforeSeconds: 2,
    lostSeconds: 3,
    afterSeconds: 2,
  },
  full: {
    accounts: 20,
    perSecond: 150,
    warmUpSeconds: 5,
    beforeSeconds: 12,
    lostSeconds: 12,
    afterSeconds: 5,
  },
}

/** What an event costs with several shards behind a front, and what the loss of one shard does to the others. */
export const shards: Bench = {
  name: 'shards',
  run: async scale => {
    const rounds = scale === 'quick' ? 1 : 3
    await using opened = new AsyncDisposableStack()
    const first = opened.use(await startBenchPostgres(scale))
    const servers: PostgresServer[] = [first]
    const most = Math.max(...topologies[scale].map(topology => topology.shards))
    while (servers.length < most) servers.push(opened.use(await startBenchPostgres(scale)))

    const costs = new Map<Topology, CostRun[]>(topologies[scale].map(topology => [topology, []]))
    const lost = new Map<Case, LossRun[]>(losses.map(one => [one, []]))
    const standbys: StandbyRun[] = []
    for (let round = 0; round < rounds; round++) {
      for (const [topology, runs] of costs)
        runs.push(await measureCost(topology, traffics, loads[scale], servers))
      for (const [one, runs] of lost) runs.push(await loseShard(one, lossPlans[scale], servers))
      standbys.push(await measureStandby(operator, loads[scale]))
    }
    const large = await measureLargeIndexes(operator, loads[scale], histories[scale], first)

    const all = [...[...costs.values()].flat(), ...[...lost.values()].flat(), ...standbys, large]
    const result: BenchResult = {
      rows: [
        ...costRows(traffics, costs),
        ...[...lost].flatMap(([one, runs]) => lossRows(one, runs)),
        ...sizingRows(standbys, large),
      ],
      unbalanced: all.flatMap(run => run.unbalanced),
      details: costTable(traffics, costs),
    }
    return result
  },
}

function lossRows({ lost, loss }: Case, runs: readonly LossRun[]): BenchRow[] {
  const ratio = (run: LossRun): number => run.lostP99Ms / run.beforeP99Ms
  const middle = median(runs.map(ratio))
  const of = (value: (run: LossRun) => number): string => median(runs.map(value)).toFixed(1)
  const refused = runs.map(run =>
    Object.entries(run.refused)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', '),
  )
  const what = `PostgreSQL of shard ${lost} ${loss}`
  return [
    {
      what: `${what}: the other shard’s p99`,
      measured: `${middle.toFixed(2)} of before (${of(run => run.lostP99Ms)} ms; each round ${runs.map(run => ratio(run).toFixed(2)).join(', ')}), ${runs.reduce((sum, run) => sum + run.others, 0)} events accepted and delivered once`,
      beside: `before ${of(run => run.beforeP99Ms)} ms`,
      goal: atMost(1.5, middle),
    },
    {
      what: `${what}: its own accounts`,
      measured: `${refused.join('; ')}; accepted again after ${of(run => run.returnSeconds)} s`,
      goal: null,
    },
  ]
}

function sizingRows(standbys: readonly StandbyRun[], large: LargeIndexes): BenchRow[] {
  const of = (value: (run: StandbyRun) => number): string => median(standbys.map(value)).toFixed(1)
  return [
    {
      what: 'a synchronous standby, operator’s reports',
      measured: `CPU ${of(run => run.standby)} µs, its one replay process alone ${of(run => run.replay)} µs`,
      goal: null,
    },
    {
      what: 'large indexes, operator’s reports, 1 shard',
      measured: `${large.logBytes.toFixed(0)} bytes of database log, CPU of PostgreSQL ${large.databaseUs.toFixed(0)} µs`,
      goal: null,
    },
  ]
}

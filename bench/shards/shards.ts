import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { atMost, type Bench, type BenchResult, type BenchRow, type Scale } from '../support/bench.ts'
import { median } from '../support/median.ts'
import { startBenchPostgres } from '../support/place.ts'
import { costRows, costTable } from './cost-rows.ts'
import { measureLargeIndexes } from './large-indexes.ts'
import { loseShard, type Loss, type LossPlan, type LossRun } from './lose-a-shard.ts'
import { type CostRun, type Load, measureCost, type Topology } from './measure-cost.ts'
import type { Traffic } from './reported.ts'
import { measureStandby } from './standby.ts'

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

const operator: Traffic = { from: 'operator', outcomesPerReport: 500, connections: 4 }
const traffics: readonly Traffic[] = [
  operator,
  { from: 'key holders', outcomesPerReport: 50, connections: 16 },
  { from: 'key holders', outcomesPerReport: 1, connections: 64 },
]

const loads: Record<Scale, Load> = {
  quick: { warmUp: 1_500, outcomes: 1_000 },
  full: { warmUp: 120_000, outcomes: 30_000 },
}

const histories = {
  quick: { outcomeIds: 2_000, events: 2_000 },
  full: { outcomeIds: 5_000_000, events: 2_000_000 },
}

const losses: Array<{ lost: number; loss: Loss }> = [
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
    warmUpSeconds: 6,
    beforeSeconds: 15,
    lostSeconds: 15,
    afterSeconds: 8,
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
    const standbys = []
    for (let round = 0; round < rounds; round++) {
      for (const [topology, runs] of costs)
        runs.push(await measureCost(topology, traffics, loads[scale], servers))
      standbys.push(await measureStandby(operator, loads[scale]))
    }
    const result: BenchResult = {
      rows: costRows(traffics, costs),
      unbalanced: [...[...costs.values()].flat(), ...standbys].flatMap(run => run.unbalanced),
      details: costTable(traffics, costs),
    }
    const replay = median(standbys.map(run => run.replay)).toFixed(1)
    result.rows.push({
      what: 'a synchronous standby, operator’s reports',
      measured: `CPU ${median(standbys.map(run => run.standby)).toFixed(0)} µs, of which its one replay process ${replay} µs`,
      goal: null,
    })
    const large = await measureLargeIndexes(operator, loads[scale], histories[scale], first)
    result.unbalanced.push(...large.unbalanced)
    result.rows.push({
      what: 'one shard, operator’s reports, indexes that are large for one checkpoint',
      measured: `${large.logBytes.toFixed(0)} bytes of database log, CPU of PostgreSQL ${large.databaseUs.toFixed(0)} µs`,
      goal: null,
    })
    for (const one of losses) {
      const runs: LossRun[] = []
      for (let round = 0; round < rounds; round++) runs.push(await loseShard(one, lossPlans[scale], servers))
      result.rows.push(...lossRows(one, runs))
      result.unbalanced.push(...runs.flatMap(run => run.unbalanced))
    }
    return result
  },
}

function lossRows({ lost, loss }: (typeof losses)[number], runs: readonly LossRun[]): BenchRow[] {
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

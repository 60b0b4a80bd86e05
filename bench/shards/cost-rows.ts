import { atMost, type BenchRow } from '../support/bench.ts'
import { median } from '../support/median.ts'
import type { Cost, CostRun, Topology } from './measure-cost.ts'
import type { Traffic } from './reported.ts'

/** The maximum CPU per event compared with one shard without a front. */
const timesMax = 1.3

/** The CPU per event of each kind of traffic, compared with the first topology. */
export function costRows(
  traffics: readonly Traffic[],
  costs: ReadonlyMap<Topology, readonly CostRun[]>,
): BenchRow[] {
  return traffics.flatMap((traffic, kind) => {
    const [alone = []] = costs.values()
    return [...costs].map(([topology, runs], place) => {
      // ratios within one round cancel changes in the speed of the machine
      const times = runs.flatMap((run, round) =>
        alone.slice(round, round + 1).map(one => cpu(run.costs[kind]) / cpu(one.costs[kind])),
      )
      return {
        what: `${trafficName(traffic)}: ${topologyName(topology)}`,
        measured: `CPU ${middle(runs, kind, cpu)} µs`,
        ...(place > 0 && {
          beside: `${median(times).toFixed(2)} times one shard without a front (${times.map(one => one.toFixed(2)).join(', ')})`,
        }),
        goal: place === 0 ? null : atMost(timesMax, median(times), ' times'),
      }
    })
  })
}

/** The parts of these costs. */
export function costTable(
  traffics: readonly Traffic[],
  costs: ReadonlyMap<Topology, readonly CostRun[]>,
): string {
  const rows = traffics.flatMap((traffic, kind) =>
    [...costs].map(([topology, runs]) => {
      const cells = [
        middle(runs, kind, cost => cost?.services),
        middle(runs, kind, cost => cost?.front),
        middle(runs, kind, cost => cost?.databases),
        middle(runs, kind, cost => cost?.logBytes),
        middle(runs, kind, cost => cost?.storedBytes),
      ]
      return `| ${trafficName(traffic)}: ${topologyName(topology)} | ${cells.join(' | ')} |`
    }),
  )
  return `${tableHead}\n${rows.join('\n')}`
}

const tableHead = `What one event costs, from which docs/run/scaling.md calculates:

| | services, µs of CPU | front, µs of CPU | PostgreSQL, µs of CPU | database log, bytes | stored, bytes |
| --- | --- | --- | --- | --- | --- |`

function middle(
  runs: readonly CostRun[],
  kind: number,
  value: (cost: Cost | undefined) => number | undefined,
): string {
  return median(runs.map(run => value(run.costs[kind]) ?? Number.NaN)).toFixed(0)
}

function cpu(cost: Cost | undefined): number {
  return cost === undefined ? Number.NaN : cost.services + cost.front + cost.databases
}

function trafficName({ from, outcomesPerReport }: Traffic): string {
  return `${from}, ${outcomesPerReport} in a report`
}

function topologyName({ shards, hasFront }: Topology): string {
  const count = `${shards} shard${shards === 1 ? '' : 's'}`
  return hasFront ? `front, ${count}` : count
}

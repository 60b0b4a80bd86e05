import { atMost, type Bench, type BenchRow, type Scale } from '../support/bench.ts'
import { median } from '../support/median.ts'
import { startBenchPostgres } from '../support/place.ts'
import { several, type SeveralRun } from './several.ts'

const counts: Record<Scale, number[]> = { quick: [1, 2], full: [1, 2, 4] }

/** The maximum CPU per delivery compared with one process. */
const flat = 1.25

/** Compares one, two and four processes on one database in alternating rounds. */
export const processes: Bench = {
  name: 'processes',
  run: async scale => {
    const load = scale === 'quick' ? { outcomes: 2_000, warmUp: 500 } : { outcomes: 40_000, warmUp: 160_000 }
    const rounds = scale === 'quick' ? 1 : 3
    await using postgres = await startBenchPostgres(scale)
    const runs = new Map<number, SeveralRun[]>(counts[scale].map(count => [count, []]))
    for (let round = 0; round < rounds; round++) {
      for (const [count, measured] of runs) measured.push(await several(count, load, postgres))
    }
    const alone = runs.get(1) ?? []
    return {
      rows: [...runs].map(([count, measured]) => row(count, measured, alone)),
      unbalanced: [...runs.values()].flat().flatMap(run => run.unbalanced),
    }
  },
}

function row(count: number, measured: readonly SeveralRun[], alone: readonly SeveralRun[]): BenchRow {
  const of = (value: (run: SeveralRun) => number): number => median(measured.map(value))
  // ratios within one round cancel changes in the speed of the machine
  const toAlone = (value: (run: SeveralRun) => number): number =>
    median(
      measured.flatMap((run, round) => alone.slice(round, round + 1).map(one => value(run) / value(one))),
    )
  const cpu = toAlone(cpuUs)
  const service = of(run => run.serviceCpuUs).toFixed(0)
  const database = of(run => run.databaseCpuUs).toFixed(0)
  return {
    what: count === 1 ? 'one process' : `${count} processes`,
    measured: `${Math.round(of(run => run.rate))}/s, CPU ${service} µs service + ${database} µs database, ${measured.reduce((sum, run) => sum + run.duplicates, 0)} duplicates`,
    ...(count > 1 && {
      beside: `rate ${toAlone(run => run.rate).toFixed(2)} times, CPU ${cpu.toFixed(2)} times that of one`,
    }),
    goal: count === 1 ? null : atMost(flat, cpu, ' times the CPU'),
  }
}

function cpuUs(run: SeveralRun): number {
  return run.serviceCpuUs + run.databaseCpuUs
}

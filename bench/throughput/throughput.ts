import { atLeast, type Bench, type BenchResult, type BenchRow, type Scale } from '../support/bench.ts'
import { median } from '../support/median.ts'
import { outcome } from '../support/outcome.ts'
import { startBenchPostgres } from '../support/place.ts'
import { bareClientRate } from './bare-client.ts'
import { type Load, productRate } from './product.ts'

interface Case extends Omit<Load, 'outcomes'> {
  goal: number | null
}

const cases: Record<Scale, Case[]> = {
  quick: [{ database: 'PostgreSQL', endpoints: 10, fanOut: 5, goal: null }],
  full: [
    { database: 'PostgreSQL', endpoints: 1, fanOut: 1, goal: 0.5 },
    { database: 'PostgreSQL', endpoints: 100, fanOut: 1, goal: 0.5 },
    { database: 'PostgreSQL', endpoints: 5_000, fanOut: 1, goal: 0.4 },
    { database: 'PostgreSQL', endpoints: 5, fanOut: 5, goal: null },
    { database: 'embedded', endpoints: 1, fanOut: 1, goal: 0.2 },
  ],
}

/**
 * Measures each case against the bare client, alternating, and answers medians of the ratios within one round: the
 * machine's own speed falls out of them.
 */
export const throughput: Bench = {
  name: 'throughput',
  run: async scale => {
    const deliveries = scale === 'quick' ? 5_000 : 40_000
    const rounds = scale === 'quick' ? 1 : 3
    await using postgres = await startBenchPostgres()
    const result: BenchResult = { rows: [], unbalanced: [] }
    for (const one of cases[scale]) {
      const load = { ...one, outcomes: deliveries / one.fanOut }
      const bodies = Array.from({ length: deliveries }, (_, n) => Buffer.from(JSON.stringify(outcome(n))))
      const measured = []
      for (let round = 0; round < rounds; round++) {
        const bare = await bareClientRate(bodies, one.endpoints, Math.min(20 * one.endpoints, 100))
        measured.push({ bare, ...(await productRate(load, postgres)) })
      }
      result.rows.push(row(one, measured))
      result.unbalanced.push(...measured.flatMap(run => run.unbalanced))
    }
    return result
  },
}

type Measured = Awaited<ReturnType<typeof productRate>> & { bare: number }

function row({ database, endpoints, fanOut, goal }: Case, measured: readonly Measured[]): BenchRow {
  const of = (value: (run: Measured) => number): number => median(measured.map(value))
  const ratio = of(run => run.rate / run.bare)
  const rate = Math.round(of(run => run.rate))
  const cpu = `${of(run => run.serviceCpuUs).toFixed(0)} µs service + ${of(run => run.databaseCpuUs).toFixed(0)} µs database`
  return {
    what: `${database}, ${endpoints} endpoint${endpoints === 1 ? '' : 's'}, fan-out ${fanOut}`,
    measured: `${ratio.toFixed(2)} of the bare client (${rate}/s, CPU ${cpu})`,
    beside: `bare ${Math.round(of(run => run.bare))}/s`,
    goal: goal === null ? null : atLeast(goal, ratio),
  }
}

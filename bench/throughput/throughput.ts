import { atLeast, type Bench, type BenchResult, type BenchRow, type Scale } from '../support/bench.ts'
import { makeCertificate } from '../../packages/server/test/egress/certificate.ts'
import { median } from '../support/median.ts'
import { outcome } from '../support/outcome.ts'
import { startBenchPostgres } from '../support/place.ts'
import { bareClientRate } from './bare-client.ts'
import { type Load, productRate } from './product.ts'

interface Case extends Omit<Load, 'outcomes' | 'warmUp' | 'certificate' | 'attemptsPerEndpoint'> {
  /** The maximum number of attempts in flight to one endpoint. Defaults to the default setting. */
  attemptsPerEndpoint?: number
  secure: boolean
  goal: number | null
}

/** The default of `POSTHORN_MAX_IN_FLIGHT_PER_ENDPOINT`. The bare client gets as many connections. */
const usualAttemptsPerEndpoint = 20

/** As many as the benches' machine has cores, as docs/run/scaling.md advises. */
const onBothCores = { database: 'PostgreSQL', processes: 2, fanOut: 1, secure: false } as const

const cases: Record<Scale, Case[]> = {
  quick: [{ ...onBothCores, endpoints: 10, fanOut: 5, goal: null }],
  full: [
    { ...onBothCores, endpoints: 1, goal: 0.45 },
    { ...onBothCores, endpoints: 1, attemptsPerEndpoint: 200, goal: null },
    { ...onBothCores, endpoints: 100, goal: 0.42 },
    { ...onBothCores, endpoints: 5_000, goal: 0.34 },
    { ...onBothCores, processes: 1, endpoints: 100, goal: null },
    { ...onBothCores, endpoints: 5, fanOut: 5, goal: null },
    { ...onBothCores, endpoints: 100, secure: true, goal: null },
    { database: 'embedded', processes: 1, endpoints: 1, fanOut: 1, secure: false, goal: 0.28 },
  ],
}

/**
 * Alternates each case with the bare client. The result is the median of the ratios within each round, which cancels
 * changes in the speed of the machine.
 */
export const throughput: Bench = {
  name: 'throughput',
  run: async scale => {
    const deliveries = scale === 'quick' ? 5_000 : 120_000
    const warmUp = scale === 'quick' ? 5_000 : 120_000
    await using postgres = await startBenchPostgres(scale)
    const result: BenchResult = { rows: [], unbalanced: [] }
    const authority = makeCertificate({ name: 'Bench', hosts: ['localhost'], isAuthority: true })
    const costTable = [costHead]
    for (const one of cases[scale]) {
      const certificate = one.secure ? authority : null
      const { attemptsPerEndpoint = usualAttemptsPerEndpoint } = one
      const load = { ...one, attemptsPerEndpoint, certificate, warmUp, outcomes: deliveries / one.fanOut }
      const connections = Math.min(attemptsPerEndpoint * one.endpoints, 100)
      const bodies = Array.from({ length: deliveries }, (_, n) => Buffer.from(JSON.stringify(outcome(n))))
      const measured = []
      const rounds = scale === 'quick' ? 1 : one.goal === null ? 3 : 5
      for (let round = 0; round < rounds; round++) {
        const bare = await bareClientRate(bodies, one.endpoints, connections, warmUp, certificate)
        measured.push({ bare, ...(await productRate(load, postgres)) })
      }
      result.rows.push(row(one, measured))
      costTable.push(costs(name(one), measured))
      result.unbalanced.push(...measured.flatMap(run => run.unbalanced))
    }
    result.details = costTable.join('\n')
    return result
  },
}

type Measured = Awaited<ReturnType<typeof productRate>> & { bare: number }

function row(one: Case, measured: readonly Measured[]): BenchRow {
  const of = (value: (run: Measured) => number): number => median(measured.map(value))
  const ratio = of(run => run.rate / run.bare)
  return {
    what: name(one),
    measured: `${ratio.toFixed(2)} of the bare client (${Math.round(of(run => run.rate))}/s)`,
    beside: `bare ${Math.round(of(run => run.bare))}/s`,
    goal: one.goal === null ? null : atLeast(one.goal, ratio),
  }
}

function name({ database, processes, endpoints, attemptsPerEndpoint, fanOut, secure }: Case): string {
  const allowed = attemptsPerEndpoint === undefined ? '' : ` with ${attemptsPerEndpoint} attempts at once`
  const by = database === 'embedded' ? '' : `, ${processes} process${processes === 1 ? '' : 'es'}`
  return `${database}${by}, ${endpoints} endpoint${endpoints === 1 ? '' : 's'}${allowed}, fan-out ${fanOut}${secure ? ', HTTPS' : ''}`
}

const costHead = `What one delivery costs, from which docs/run/scaling.md calculates:

| | service, µs of CPU | database, µs of CPU | database log, bytes | stored, bytes | writing statements for a thousand |
| --- | --- | --- | --- | --- | --- |`

function costs(where: string, measured: readonly Measured[]): string {
  const cost = (value: (run: Measured) => number): string => {
    const middle = median(measured.map(value))
    return Number.isNaN(middle) ? '' : middle.toFixed(0)
  }
  const cells = [
    cost(run => run.serviceCpuUs),
    cost(run => run.databaseCpuUs),
    cost(run => run.logBytes),
    cost(run => run.storedBytes),
    cost(run => run.writingTransactionsPerThousand),
  ]
  return `| ${where} | ${cells.join(' | ')} |`
}

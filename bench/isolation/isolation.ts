import { atLeast, atMost, type Bench, type BenchRow, type Scale } from '../support/bench.ts'
import { median } from '../support/median.ts'
import { startBenchPostgres } from '../support/place.ts'
import type { BadEndpoints } from './bad-endpoints.ts'
import { type Measured, type Plan, runBeside } from './run-beside.ts'

interface Case extends Omit<Plan, 'bad'> {
  bad: BadEndpoints
  rounds: number
}

const cases: Record<Scale, Case> = {
  quick: {
    bad: { hanging: 60, refusing: 20, slow: 10 },
    healthy: 10,
    healthyPerSecond: 100,
    measuredSeconds: 1,
    saturatedOutcomes: 1_000,
    attemptTimeoutSeconds: 1,
    rounds: 1,
  },
  full: {
    bad: { hanging: 5_000, refusing: 1_000, slow: 100 },
    healthy: 100,
    healthyPerSecond: 300,
    // autovacuum runs once a minute, so each window includes it once
    measuredSeconds: 60,
    // about 20 s: longer than autovacuum and than the time between two waves of timeouts
    saturatedOutcomes: 400_000,
    attemptTimeoutSeconds: 15,
    rounds: 5,
  },
}

/** Alternates runs with and without bad endpoints. The result is the median of the ratios within each round. */
export const isolation: Bench = {
  name: 'isolation',
  run: async scale => {
    const { rounds, ...plan } = cases[scale]
    await using postgres = await startBenchPostgres(scale)
    const measured: Round[] = []
    for (let round = 0; round < rounds; round++) {
      const without = await runBeside({ ...plan, bad: null }, postgres)
      measured.push({ without, beside: await runBeside(plan, postgres) })
    }
    return {
      rows: rows(measured),
      unbalanced: measured.flatMap(({ without, beside }) => [...without.unbalanced, ...beside.unbalanced]),
    }
  },
}

interface Round {
  without: Measured
  beside: Measured
}

/** `POSTHORN_MAX_IN_FLIGHT`, idle connections, and the connections to the database and from reporters. */
const socketsMax = 1_000 + 1_024 + 16 + 64
/** The memory goal for each attempt in flight. */
const bytesPerAttempt = 60 * 1_024
/** Memory for each endpoint: keys, headers and its queue. */
const bytesPerEndpoint = 4 * 1_024

function rows(measured: readonly Round[]): BenchRow[] {
  const of = (value: (round: Round) => number): number => median(measured.map(value))
  const each = (ratio: (round: Round) => number): string =>
    measured.map(round => ratio(round).toFixed(2)).join(', ')
  const p99Ratio = ({ without, beside }: Round): number => beside.p99Ms / without.p99Ms
  const rateRatio = ({ without, beside }: Round): number => beside.perSecond / without.perSecond
  const p99 = of(p99Ratio)
  const rate = of(rateRatio)
  const sockets = Math.max(...measured.map(({ beside }) => beside.most.sockets))
  const memory = Math.max(...measured.map(({ beside }) => beside.most.memoryBytes))
  const memoryWithout = Math.max(...measured.map(({ without }) => without.most.memoryBytes))
  const memoryMax = memoryWithout + 1_000 * bytesPerAttempt + 6_100 * bytesPerEndpoint
  return [
    {
      what: 'healthy endpoints, p99 with bad ones beside them',
      measured: `${p99.toFixed(2)} of without (${ms(of(({ beside }) => beside.p99Ms))}, median ${ms(of(({ beside }) => beside.medianMs))}; each round ${each(p99Ratio)})`,
      beside: `without ${ms(of(({ without }) => without.p99Ms))}, median ${ms(of(({ without }) => without.medianMs))}`,
      goal: atMost(1.5, p99),
    },
    {
      what: 'healthy endpoints, throughput with bad ones beside them',
      measured: `${rate.toFixed(2)} of without (${perSecond(of(({ beside }) => beside.perSecond))}; each round ${each(rateRatio)})`,
      beside: `without ${perSecond(of(({ without }) => without.perSecond))}`,
      goal: atLeast(0.85, rate),
    },
    {
      what: 'sockets of the service, at most',
      measured: `${sockets}`,
      beside: `without ${Math.max(...measured.map(({ without }) => without.most.sockets))}`,
      goal: atMost(socketsMax, sockets),
    },
    {
      what: 'memory of the service, at most',
      measured: mib(memory),
      beside: `without ${mib(memoryWithout)}`,
      goal: { text: `≤ ${mib(memoryMax)}`, met: memory <= memoryMax },
    },
  ]
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`
}

function perSecond(value: number): string {
  return `${Math.round(value)}/s`
}

function mib(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`
}

import { atLeast, atMost, type Bench, type BenchResult, type BenchRow } from '../support/bench.ts'
import { startLoadProcess } from '../support/load-process.ts'
import { median } from '../support/median.ts'
import { percentile } from '../support/percentile.ts'
import { startBenchPostgres } from '../support/place.ts'
import { bareGroupCommit, product, storesNothing } from './contenders.ts'
import { type Round, Rounds } from './rounds.ts'

const scales = {
  quick: {
    alsoDelivers: false,
    connections: [32],
    rounds: 1,
    warmUpSeconds: 0.3,
    closedSeconds: 0.5,
    openSeconds: 0.5,
  },
  full: {
    alsoDelivers: true,
    connections: [64, 256],
    rounds: 3,
    warmUpSeconds: 2,
    closedSeconds: 4,
    openSeconds: 8,
  },
}

/** How many requests with one outcome each are accepted, and how long a response takes at half that rate. */
export const accept: Bench = {
  name: 'accept',
  run: async scale => {
    const { alsoDelivers, connections, rounds, warmUpSeconds, closedSeconds, openSeconds } = scales[scale]
    await using opened = new AsyncDisposableStack()
    const postgres = opened.use(await startBenchPostgres(scale))
    const load = opened.use(await startLoadProcess())
    const bare = opened.use(await bareGroupCommit(postgres))
    const posthorn = opened.use(await product(postgres, 'api'))
    const nothing = opened.use(await storesNothing(postgres))
    const delivering = alsoDelivers ? [opened.use(await product(postgres, 'all'))] : []
    const asked = new Rounds(load, postgres)
    const repeat = async (...what: Parameters<Rounds['round']>): Promise<Round[][]> => {
      const all: Round[][] = []
      for (let n = 0; n < rounds; n++) all.push(await asked.round(...what))
      return all
    }
    const result: BenchResult = { rows: [], unbalanced: [] }

    const contenders = [bare, posthorn, nothing, ...delivering]
    const most = Math.max(...connections)
    await asked.round(contenders, { connections: most, pace: { loop: 'closed', seconds: warmUpSeconds } })
    let capacity = 0
    for (const count of connections) {
      const pace = { loop: 'closed', seconds: closedSeconds } as const
      const measured = await repeat(contenders, { connections: count, pace })
      capacity = Math.max(
        capacity,
        of(measured, 1, round => round.rate),
      )
      result.rows.push(...capacityRows(count, measured))
    }
    const pace = { loop: 'open', requestsPerSecond: Math.round(capacity / 2), seconds: openSeconds } as const
    result.rows.push(
      ...answerRows(pace.requestsPerSecond, await repeat([bare, posthorn], { connections: most, pace })),
    )
    result.unbalanced.push(...(await asked.end()))
    return result
  },
}

/** The median over the rounds of one figure of the contender at this position. */
function of(measured: readonly Round[][], place: number, figure: (round: Round) => number): number {
  return median(measured.map(rounds => figure(rounds[place] as Round)))
}

function ratio(measured: readonly Round[][], place: number, figure: (round: Round) => number): number {
  return median(measured.map(rounds => figure(rounds[place] as Round) / figure(rounds[0] as Round)))
}

function capacityRows(connections: number, measured: readonly Round[][]): BenchRow[] {
  const rate = (round: Round): number => round.rate
  const row = (what: string, place: number, goal: number | null): BenchRow => ({
    what: `${what}, ${connections} connections`,
    measured: `${ratio(measured, place, rate).toFixed(2)} of the bare group commit (${speed(measured, place)})`,
    beside: `bare ${speed(measured, 0)}`,
    goal: goal === null ? null : atLeast(goal, ratio(measured, place, rate)),
  })
  return [
    row('accepted', 1, 0.6),
    row('the route that stores nothing', 2, null),
    ...(measured[0]?.[3] === undefined ? [] : [row('accepted while deliveries are made', 3, null)]),
  ]
}

function speed(measured: readonly Round[][], place: number): string {
  const cpu = (figure: (round: Round) => number): string => of(measured, place, figure).toFixed(0)
  const cost = `CPU ${cpu(round => round.serverCpuUs)} µs server + ${cpu(round => round.databaseCpuUs)} µs database`
  return `${Math.round(of(measured, place, round => round.rate))}/s, ${cost}`
}

function answerRows(requestsPerSecond: number, measured: readonly Round[][]): BenchRow[] {
  const row = (share: number, goal: number | null): BenchRow => {
    const figure = (round: Round): number => percentile(round.answered.answerMs, share)
    const times = ratio(measured, 1, figure)
    return {
      what: `answer p${share * 100}, ${requestsPerSecond}/s offered to both`,
      measured: `${times.toFixed(2)} times the bare group commit's (${of(measured, 1, figure).toFixed(1)} ms)`,
      beside: `bare ${of(measured, 0, figure).toFixed(1)} ms`,
      goal: goal === null ? null : atMost(goal, times),
    }
  }
  return [row(0.5, null), row(0.99, 2)]
}

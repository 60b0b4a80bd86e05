import { totalmem } from 'node:os'
import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { startService } from '../../packages/server/test/support/service-process.ts'
import { atLeast, type Bench, type BenchRow, type Scale } from '../support/bench.ts'
import { median } from '../support/median.ts'
import { startBenchPostgres } from '../support/place.ts'
import { claimedEach, claimRate, drainRate } from './claims.ts'
import { plans } from './plans.ts'
import { feedRate, listRate } from './retained.ts'
import { newStage, type Stage } from './stage.ts'

interface Size {
  /** `shared_buffers` of PostgreSQL. A full run uses a quarter of the memory, as docs/run/postgresql.md recommends. */
  sharedBuffersMb: number
  rows: number
  accounts: number
  endpointsEach: number
  rounds: number
  /** Rounds of the claim statement, which takes about 0.1 s each. */
  claimRounds: number
  /** Due deliveries per endpoint in one round of the drain. */
  drainEach: number
  /** Rounds of new deliveries beside ten million finished ones, which take about 3 s each. */
  feedRounds: number
  outcomes: number
}

const sizes: Record<Scale, Size> = {
  quick: {
    sharedBuffersMb: 256,
    rows: 5_000,
    accounts: 2,
    endpointsEach: 20,
    rounds: 1,
    claimRounds: 1,
    drainEach: 40,
    feedRounds: 1,
    outcomes: 200,
  },
  full: {
    sharedBuffersMb: Math.floor(totalmem() / 4 / 2 ** 20),
    rows: 10_000_000,
    accounts: 10,
    endpointsEach: 100,
    rounds: 3,
    claimRounds: 120,
    drainEach: 20,
    feedRounds: 15,
    outcomes: 4_000,
  },
}

const retainedFanOut = 10
/** Pairs of list requests in a round, because one request takes only milliseconds. */
const listsEach = 20
const goal = 0.9

/** Ten million rows must not slow down claims and new deliveries. */
export const backlog: Bench = {
  name: 'backlog',
  run: async scale => {
    const size = sizes[scale]
    await using postgres = await startBenchPostgres(scale, size.sharedBuffersMb)
    const waiting = await withWaiting(postgres, size)
    const retained = await withRetained(postgres, size)
    return {
      rows: [...waiting.rows, ...retained.rows],
      unbalanced: [...waiting.unbalanced, ...retained.unbalanced],
      details: `Plans beside ${size.rows} waiting deliveries, statements of the hot path:\n\n${waiting.plans}`,
    }
  },
}

async function withWaiting(
  postgres: PostgresServer,
  { rows, rounds, claimRounds, drainEach, ...size }: Size,
) {
  await using full = await newStage(postgres, size)
  await using empty = await newStage(postgres, size)
  const endpoints = size.accounts * size.endpointsEach
  await full.fill(
    { events: rows / endpoints, fanOut: size.endpointsEach, as: 'half due' },
    size.endpointsEach / 10,
  )
  const claims: Pair[] = []
  const looks: Pair[] = []
  const drains: Pair[] = []
  for (let round = 0; round < claimRounds; round++) {
    await empty.fill(
      { events: claimedEach, fanOut: size.endpointsEach, as: 'all due' },
      size.endpointsEach / 10,
    )
    const { of, beside } = await inTurn(round, full, empty, async stage => await claimRate(stage.db))
    claims.push({ of: of.rate, beside: beside.rate })
    looks.push({ of: of.lookMs, beside: beside.lookMs })
  }
  const shown = await plans(full.db)
  for (let round = 0; round < rounds; round++) {
    await empty.fill({ events: drainEach, fanOut: size.endpointsEach, as: 'all due' })
    const count = drainEach * endpoints * 0.9
    drains.push(await inTurn(round, full, empty, async stage => await drainRate(stage, count)))
  }
  return {
    rows: [
      row(`claim statement, ${rows} waiting`, '/s', claims, goal),
      row(`end to end, ${rows} waiting`, '/s', drains, goal),
      row(`look for due endpoints, ${rows} waiting`, ' ms', looks, null),
    ],
    unbalanced: [...(await full.unbalanced()), ...(await empty.unbalanced())],
    plans: shown,
  }
}

async function withRetained(postgres: PostgresServer, { rows, feedRounds, outcomes, ...size }: Size) {
  const accounts = (size.accounts * size.endpointsEach) / retainedFanOut
  const load = { outcomes, fanOut: retainedFanOut }
  const shape = { accounts: Math.min(accounts, 100), endpointsEach: retainedFanOut }
  await using full = await newStage(postgres, shape)
  await using empty = await newStage(postgres, shape)
  await full.fill({
    events: rows / retainedFanOut / shape.accounts,
    fanOut: retainedFanOut,
    as: 'finished',
  })
  const feeds: Pair[] = []
  const lists: Pair[] = []
  {
    await using fullService = await startService(full.installation)
    await using emptyService = await startService(empty.installation)
    const url = (stage: Stage): string => (stage === full ? fullService.url : emptyService.url)
    let turn = 0
    const pair = async (measure: (stage: Stage, url: string) => Promise<number>): Promise<Pair> =>
      await inTurn(turn++, full, empty, async stage => await measure(stage, url(stage)))
    // warms up the code and fills the first pages of each list
    await pair(async (stage, url) => await feedRate(stage, url, load))
    for (let round = 0; round < feedRounds; round++) {
      feeds.push(await pair(async (stage, url) => await feedRate(stage, url, load)))
      for (let n = 0; n < listsEach; n++) lists.push(await pair(listRate))
    }
    await fullService.stop()
    await emptyService.stop()
  }
  return {
    rows: [
      row(`accept and deliver, ${rows} finished`, '/s', feeds, goal),
      row(`list pages one by one, ${rows} finished`, '/s', lists, goal),
    ],
    unbalanced: [...(await full.unbalanced()), ...(await empty.unbalanced())],
  }
}

/** Alternates which one comes first, so that background work affects both equally. */
async function inTurn<T>(
  turn: number,
  full: Stage,
  empty: Stage,
  measure: (stage: Stage) => Promise<T>,
): Promise<{ of: T; beside: T }> {
  if (turn % 2 === 0) {
    const of = await measure(full)
    return { of, beside: await measure(empty) }
  }
  const beside = await measure(empty)
  return { of: await measure(full), beside }
}

/** A figure with all the rows, and without them. */
interface Pair {
  of: number
  beside: number
}

function row(what: string, unit: string, pairs: readonly Pair[], atLeastShare: number | null): BenchRow {
  const of = (value: (pair: Pair) => number): number => median(pairs.map(value))
  const share = of(pair => pair.of / pair.beside)
  return {
    what,
    measured: `${share.toFixed(2)} of the empty table's (${Math.round(of(pair => pair.of))}${unit})`,
    beside: `empty ${Math.round(of(pair => pair.beside))}${unit}`,
    goal: atLeastShare === null ? null : atLeast(atLeastShare, share),
  }
}

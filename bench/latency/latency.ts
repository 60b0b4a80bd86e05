import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import type { Bench, BenchResult, Scale } from '../support/bench.ts'
import { startBenchPostgres } from '../support/place.ts'
import { type LoadProcess, startLoadProcess } from '../support/load-process.ts'
import { startReceiverProcess } from '../support/receiver-process.ts'
import { embeddedRow, latencyRows, type LatencyRound, times } from './latency-rows.ts'
import { commitTimesMs } from './one-commit.ts'
import { startReportedService } from './reported-service.ts'

interface Extent {
  embedded: boolean
  shares: number[]
  rounds: number
  closedSeconds: number
  openSeconds: number
  besideSeconds: number
}

const extents: Record<Scale, Extent> = {
  quick: {
    embedded: false,
    shares: [0.5],
    rounds: 1,
    closedSeconds: 0.7,
    openSeconds: 0.7,
    besideSeconds: 0.3,
  },
  full: {
    embedded: true,
    shares: [0.25, 0.5, 0.75],
    rounds: 3,
    closedSeconds: 5,
    openSeconds: 8,
    besideSeconds: 3,
  },
}

/** The time from the scheduled report of an outcome to its arrival at the receiver. */
export const latency: Bench = {
  name: 'latency',
  run: async scale => {
    await using postgres = await startBenchPostgres(scale)
    using load = await startLoadProcess()
    const result: BenchResult = { rows: [], unbalanced: [] }
    await onPostgres(extents[scale], postgres, load, result)
    if (extents[scale].embedded) await onEmbedded(extents[scale], postgres, load, result)
    return result
  },
}

async function onPostgres(
  { shares, rounds, closedSeconds, openSeconds, besideSeconds }: Extent,
  postgres: PostgresServer,
  load: LoadProcess,
  result: BenchResult,
): Promise<void> {
  await using service = await startReportedService('PostgreSQL', postgres, load)
  const capacity = (await service.report({ loop: 'closed', seconds: closedSeconds })).rate
  for (const share of shares) {
    const requestsPerSecond = Math.ceil(capacity * share)
    const measured: LatencyRound[] = []
    for (let round = 0; round < rounds; round++) {
      const { arrivalMs, lateMs } = await service.report({
        loop: 'open',
        requestsPerSecond,
        seconds: openSeconds,
      })
      const commit = times(await commitTimesMs(postgres, besideSeconds))
      const post = times(await postTimesMs(load, requestsPerSecond, besideSeconds))
      measured.push({ arrival: times(arrivalMs), late: times(lateMs), commit, post })
    }
    result.rows.push(...latencyRows(share, requestsPerSecond, measured))
  }
  result.unbalanced.push(...(await service.end()))
}

async function onEmbedded(
  { rounds, closedSeconds, openSeconds }: Extent,
  postgres: PostgresServer,
  load: LoadProcess,
  result: BenchResult,
): Promise<void> {
  await using service = await startReportedService('embedded', postgres, load)
  const capacity = (await service.report({ loop: 'closed', seconds: closedSeconds })).rate
  const requestsPerSecond = Math.ceil(capacity * 0.5)
  const measured = []
  for (let round = 0; round < rounds; round++)
    measured.push(
      times((await service.report({ loop: 'open', requestsPerSecond, seconds: openSeconds })).arrivalMs),
    )
  result.rows.push(embeddedRow(requestsPerSecond, measured))
  result.unbalanced.push(...(await service.end()))
}

/** The time of direct POSTs of the same bytes to a receiver, with the same client at the same rate. */
async function postTimesMs(
  load: LoadProcess,
  requestsPerSecond: number,
  seconds: number,
): Promise<Float64Array> {
  using receiver = await startReceiverProcess()
  const { answered } = await load.run({
    url: `http://127.0.0.1:${receiver.port}`,
    credentials: ['none'],
    connections: 64,
    pace: { loop: 'open', requestsPerSecond, seconds },
  })
  return answered.answerMs
}

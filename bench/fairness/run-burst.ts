import { setTimeout as wait } from 'node:timers/promises'
import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { newInstallation, startService } from '../../packages/server/test/support/service-process.ts'
import { acknowledged } from '../support/acknowledged.ts'
import { balance } from '../support/balance.ts'
import { feed, reportsOf } from '../support/feed.ts'
import { epochMs, latenciesDueIn } from '../support/latency-window.ts'
import { startLoadProcess } from '../support/load-process.ts'
import { newAccounts } from '../support/new-accounts.ts'
import { offer } from '../support/offer.ts'
import { newPlace } from '../support/place.ts'
import { startReceiverProcess } from '../support/receiver-process.ts'

export interface Plan {
  burst: number
  others: number
  /** The rate of each other account. */
  eventsPerSecond: number
  /** How long to measure the others alone, before and after the burst. */
  aloneSeconds: number
}

export interface Measured {
  /** Latencies of the other accounts in milliseconds: before, during and after the burst. */
  before: Float64Array
  beside: Float64Array
  after: Float64Array
  /** From the first report of the burst to its last report and to its last delivery. */
  acceptSeconds: number
  burstSeconds: number
  unbalanced: string[]
}

const burstBatch = 1_000
/** Enough to compile both code paths and to make all endpoints proven. */
const warmUpBatches = 5
/** Enough for a million deliveries on a slow machine. */
const burstMsMax = 3_600_000

/** Measures the other accounts alone, during the burst of one account, and alone again. */
export async function runBurst(plan: Plan, postgres: PostgresServer): Promise<Measured> {
  using receiver = await startReceiverProcess()
  using load = await startLoadProcess()
  await using place = await newPlace('PostgreSQL', postgres)
  const installation = newInstallation(place)
  await using service = await startService(installation)
  const others = await newAccounts(service.url, service.operator, {
    accounts: plan.others,
    endpointsEach: 1,
    url: n => `http://127.0.1.${n}:${receiver.port}/other/${n}`,
  })
  const [bursting] = await newAccounts(service.url, service.operator, {
    accounts: 1,
    endpointsEach: 1,
    url: () => `http://127.0.2.1:${receiver.port}/burst`,
  })
  let burstAccepted = 0
  const burst = async (count: number): Promise<void> => {
    await feed(
      service.url,
      installation.adminToken,
      reportsOf([bursting?.accountId ?? ''], count, burstBatch),
    )
    burstAccepted += count
  }

  const offered = offer(
    load,
    { url: service.url, credentials: others.map(customer => customer.apiKey), connections: 64 },
    { requestsPerSecond: plan.others * plan.eventsPerSecond, seconds: 5 },
  )
  await burst(warmUpBatches * burstBatch)
  await acknowledged(receiver, 'burst', burstAccepted)
  const alone = async () => {
    const fromMs = epochMs()
    await wait(plan.aloneSeconds * 1_000)
    return { fromMs, untilMs: epochMs() }
  }
  const before = await alone()
  const fromMs = epochMs()
  await burst(plan.burst)
  const acceptSeconds = (epochMs() - fromMs) / 1_000
  await acknowledged(receiver, 'burst', burstAccepted, burstMsMax)
  const beside = { fromMs, untilMs: epochMs() }
  const after = await alone()
  const { accepted, faults } = await offered.stop()
  await acknowledged(receiver, 'other', accepted)
  const latencies = await receiver.latencies()

  await service.stop()
  const all = accepted + burstAccepted
  const arrived = await receiver.ledger()
  return {
    before: latenciesDueIn(latencies, 'other', before),
    beside: latenciesDueIn(latencies, 'other', beside),
    after: latenciesDueIn(latencies, 'other', after),
    acceptSeconds,
    burstSeconds: (beside.untilMs - fromMs) / 1_000,
    unbalanced: [...(await balance(place, { accepted: all, deliveries: all, arrived })), ...faults],
  }
}

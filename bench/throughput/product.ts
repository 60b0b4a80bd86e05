import { newInstallation, startService } from '../../packages/server/test/support/service-process.ts'
import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { balance } from '../support/balance.ts'
import { cpuTimeMs } from '../support/cpu-time.ts'
import { feed } from '../support/feed.ts'
import { newAccounts } from '../support/new-accounts.ts'
import { finished } from '../support/finished.ts'
import { type DatabaseKind, newPlace } from '../support/place.ts'
import { startReceiverProcess } from '../support/receiver-process.ts'

export interface Throughput {
  /** Deliveries per second, from the first report to the last settled delivery. */
  rate: number
  /** CPU for each delivery, in microseconds. */
  serviceCpuUs: number
  databaseCpuUs: number
  /** Reports of the ledger that do not agree; a run with any is void. */
  unbalanced: string[]
}

/** Outcomes before those that are measured. */
const warmUp = 5_000

export interface Load {
  database: DatabaseKind
  outcomes: number
  endpoints: number
  fanOut: number
}

/** Outcomes in by HTTP batches, signed webhooks out to the cheap receiver, with everything on that a user has on. */
export async function productRate(load: Load, postgres: PostgresServer): Promise<Throughput> {
  using receiver = await startReceiverProcess()
  await using place = await newPlace(load.database, postgres)
  const installation = newInstallation(place)
  await using service = await startService(installation, { POSTHORN_LOG_LEVEL: 'info' })
  const customers = await newAccounts(service.url, service.operator, {
    accounts: load.endpoints / load.fanOut,
    endpointsEach: load.fanOut,
    url: n => `http://127.0.0.1:${receiver.port}/ok/${n}`,
  })
  const accountIds = customers.map(customer => customer.accountId)

  // the bare client is warmed up as well
  await feed(service.url, installation.adminToken, accountIds, warmUp)
  await finished(service.url, warmUp * load.fanOut)

  const serviceCpu = cpuTimeMs(service.pid)
  const databaseCpu = cpuTimeMs(postgres.pid())
  const startedMs = performance.now()
  await feed(service.url, installation.adminToken, accountIds, load.outcomes)
  const deliveries = load.outcomes * load.fanOut
  await finished(service.url, warmUp * load.fanOut + deliveries)
  const rate = (deliveries / (performance.now() - startedMs)) * 1_000
  const serviceCpuUs = ((cpuTimeMs(service.pid) - serviceCpu) * 1_000) / deliveries
  const databaseCpuUs = ((cpuTimeMs(postgres.pid()) - databaseCpu) * 1_000) / deliveries

  await service.stop()
  const unbalanced = await balance(place, {
    accepted: warmUp + load.outcomes,
    deliveries: warmUp * load.fanOut + deliveries,
    arrived: await receiver.ledger(),
  })
  return { rate, serviceCpuUs, databaseCpuUs, unbalanced }
}

import type { Certificate } from '../../packages/server/test/egress/certificate.ts'
import { newInstallation, startService } from '../../packages/server/test/support/service-process.ts'
import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { allReady } from '../support/all-ready.ts'
import { authorityFile } from '../support/authority-file.ts'
import { balance } from '../support/balance.ts'
import { cpuTimeMs } from '../support/cpu-time.ts'
import { type DatabaseWork, databaseWork } from '../support/database-work.ts'
import { feed, reportsOf } from '../support/feed.ts'
import { newAccounts } from '../support/new-accounts.ts'
import { finished } from '../support/finished.ts'
import { type DatabaseKind, newPlace } from '../support/place.ts'
import { startReceiverProcess } from '../support/receiver-process.ts'

export interface Throughput {
  /** Deliveries per second, from the first report to the last settled delivery. */
  rate: number
  /** CPU per delivery in microseconds. */
  serviceCpuUs: number
  databaseCpuUs: number
  /** Per delivery: bytes written to the WAL, and bytes added to tables and indexes. NaN for the embedded database. */
  logBytes: number
  storedBytes: number
  /** Per thousand deliveries. NaN for the embedded database. */
  writingTransactionsPerThousand: number
  /** What does not balance in the ledger. Any entry makes the run void. */
  unbalanced: string[]
}

export interface Load {
  database: DatabaseKind
  /** The processes of the service, on one port. */
  processes: number
  /** Deliveries before the measurement, so that every process has compiled its hot code. */
  warmUp: number
  outcomes: number
  endpoints: number
  /** The maximum number of attempts in flight to one endpoint. */
  attemptsPerEndpoint: number
  fanOut: number
  /** The certificate of the receiver, or null for HTTP. */
  certificate: Certificate | null
}

/** Reports outcomes in HTTP batches and receives signed webhooks with the cheap receiver, with default settings. */
export async function productRate(load: Load, postgres: PostgresServer): Promise<Throughput> {
  using receiver = await startReceiverProcess(load.certificate ?? undefined)
  using authority = authorityFile(load.certificate)
  await using place = await newPlace(load.database, postgres)
  const installation = newInstallation(place)
  await using service = await startService(installation, {
    POSTHORN_LOG_LEVEL: 'info',
    POSTHORN_PROCESSES: String(load.processes),
    POSTHORN_MAX_IN_FLIGHT_PER_ENDPOINT: String(load.attemptsPerEndpoint),
    ...(load.certificate !== null && { NODE_EXTRA_CA_CERTS: authority.path }),
  })
  await allReady(service, load.processes)
  const customers = await newAccounts(service.url, service.operator, {
    accounts: load.endpoints / load.fanOut,
    endpointsEach: load.fanOut,
    url: n =>
      `${load.certificate === null ? 'http://127.0.0.1' : 'https://localhost'}:${receiver.port}/ok/${n}`,
  })
  const accountIds = customers.map(customer => customer.accountId)

  // the bare client is also warmed up and has its bodies ready
  const warmUp = load.warmUp / load.fanOut
  await feed(service.url, installation.adminToken, reportsOf(accountIds, warmUp))
  await finished(service.url, load.warmUp)

  const reports = [...reportsOf(accountIds, load.outcomes)]
  const workBefore = await databaseWork(place)
  const serviceCpu = cpuTimeMs(service.pid)
  const databaseCpu = cpuTimeMs(postgres.pid())
  const startedMs = performance.now()
  await feed(service.url, installation.adminToken, reports)
  const deliveries = load.outcomes * load.fanOut
  await finished(service.url, load.warmUp + deliveries)
  const rate = (deliveries / (performance.now() - startedMs)) * 1_000
  const serviceCpuUs = ((cpuTimeMs(service.pid) - serviceCpu) * 1_000) / deliveries
  const databaseCpuUs = ((cpuTimeMs(postgres.pid()) - databaseCpu) * 1_000) / deliveries

  const workAfter = await databaseWork(place)
  const perDelivery = (of: keyof DatabaseWork): number =>
    ((workAfter?.[of] ?? Number.NaN) - (workBefore?.[of] ?? Number.NaN)) / deliveries

  await service.stop()
  const unbalanced = await balance(place, {
    accepted: warmUp + load.outcomes,
    deliveries: load.warmUp + deliveries,
    arrived: await receiver.ledger(),
  })
  const work = {
    logBytes: perDelivery('log'),
    storedBytes: perDelivery('stored'),
    writingTransactionsPerThousand: perDelivery('writingTransactions') * 1_000,
  }
  return { rate, serviceCpuUs, databaseCpuUs, ...work, unbalanced }
}

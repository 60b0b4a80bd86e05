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
  /** CPU for each delivery, in microseconds. */
  serviceCpuUs: number
  databaseCpuUs: number
  /** For each delivery: written to the database's log, and added to its tables and indexes. NaN when embedded. */
  logBytes: number
  storedBytes: number
  /** For each thousand deliveries; NaN when embedded. */
  writingTransactionsPerThousand: number
  /** Reports of the ledger that do not agree; a run with any is void. */
  unbalanced: string[]
}

export interface Load {
  database: DatabaseKind
  /** Of the service, on one port. */
  processes: number
  /** Deliveries before those that are measured, after which every process has compiled what is hot. */
  warmUp: number
  outcomes: number
  endpoints: number
  /** How many attempts may be under way at one of them. */
  attemptsPerEndpoint: number
  fanOut: number
  /** With which the receiver speaks TLS; null: HTTP. */
  certificate: Certificate | null
}

/** Outcomes in by HTTP batches, signed webhooks out to the cheap receiver, with everything on that a user has on. */
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

  // the bare client is warmed up as well, and has its bodies ready
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

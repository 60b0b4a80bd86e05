import { newInstallation, startService } from '../../packages/server/test/support/service-process.ts'
import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { allReady } from '../support/all-ready.ts'
import { balance } from '../support/balance.ts'
import { cpuTimeMs } from '../support/cpu-time.ts'
import { feed, reportsOf } from '../support/feed.ts'
import { finished } from '../support/finished.ts'
import { newAccounts } from '../support/new-accounts.ts'
import { newPlace } from '../support/place.ts'
import { startReceiverProcess } from '../support/receiver-process.ts'

const endpoints = 100

export interface SeveralRun {
  /** Deliveries per second of all processes. */
  rate: number
  /** CPU per delivery in microseconds, for all processes and for the database. */
  serviceCpuUs: number
  databaseCpuUs: number
  /** Requests at the receiver in addition to one per delivery. */
  duplicates: number
  unbalanced: string[]
}

/**
 * Runs one service with several processes that share the reporter's four connections. A warm-up with `warmUp` outcomes
 * compiles the code of each process and fills the tables to the same size.
 */
export async function several(
  processes: number,
  { outcomes, warmUp }: { outcomes: number; warmUp: number },
  postgres: PostgresServer,
): Promise<SeveralRun> {
  using receiver = await startReceiverProcess()
  await using place = await newPlace('PostgreSQL', postgres)
  const installation = newInstallation(place)
  await using service = await startService(installation, { POSTHORN_PROCESSES: String(processes) })
  await allReady(service, processes)
  const customers = await newAccounts(service.url, service.operator, {
    accounts: endpoints,
    endpointsEach: 1,
    url: n => `http://127.0.0.1:${receiver.port}/ok/${n}`,
  })
  const accountIds = customers.map(customer => customer.accountId)
  await feed(service.url, installation.adminToken, reportsOf(accountIds, warmUp))
  const before = await finished(service.url, warmUp)

  const reports = [...reportsOf(accountIds, outcomes)]
  const serviceCpu = cpuTimeMs(service.pid)
  const databaseCpu = cpuTimeMs(postgres.pid())
  const startedMs = performance.now()
  await feed(service.url, installation.adminToken, reports)
  const all = before + outcomes
  const deliveries = (await finished(service.url, all)) - before
  const rate = (deliveries / (performance.now() - startedMs)) * 1_000
  const serviceCpuUs = ((cpuTimeMs(service.pid) - serviceCpu) * 1_000) / deliveries
  const databaseCpuUs = ((cpuTimeMs(postgres.pid()) - databaseCpu) * 1_000) / deliveries

  await service.stop()
  const arrived = await receiver.ledger()
  const unbalanced = await balance(place, { accepted: all, deliveries: all, arrived })
  return { rate, serviceCpuUs, databaseCpuUs, duplicates: arrived.requests - arrived.deliveries, unbalanced }
}

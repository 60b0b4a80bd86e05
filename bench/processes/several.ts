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
  /** Deliveries per second of all processes together. */
  rate: number
  /** CPU for each delivery, of all processes and the database, in microseconds. */
  serviceCpuUs: number
  databaseCpuUs: number
  /** Requests at the receiver beyond one for each delivery. */
  duplicates: number
  unbalanced: string[]
}

/**
 * One service of so many processes, each doing everything, among which four connections of the reporter are divided. Before,
 * they have shared `warmUp` outcomes in the same way: each has compiled its code then, and the tables have the same size for
 * all.
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

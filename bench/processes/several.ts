import {
  newInstallation,
  startService,
  type ServiceProcess,
} from '../../packages/server/test/support/service-process.ts'
import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { balance } from '../support/balance.ts'
import { cpuTimeMs } from '../support/cpu-time.ts'
import { feed } from '../support/feed.ts'
import { finished } from '../support/finished.ts'
import { newAccounts } from '../support/new-accounts.ts'
import { newPlace } from '../support/place.ts'
import { startReceiverProcess } from '../support/receiver-process.ts'

const endpoints = 100

export interface SeveralRun {
  /** Deliveries per second of all processes together. */
  rate: number
  /** CPU for each delivery, of all services and the database, in microseconds. */
  serviceCpuUs: number
  databaseCpuUs: number
  /** Requests at the receiver beyond one for each delivery. */
  duplicates: number
  unbalanced: string[]
}

/**
 * So many services on one database, each given an equal share of the outcomes, each doing everything. Before, they have
 * shared `warmUp` outcomes in the same way: each has compiled its code then, and the tables have the same size for all.
 */
export async function several(
  processes: number,
  { outcomes, warmUp }: { outcomes: number; warmUp: number },
  postgres: PostgresServer,
): Promise<SeveralRun> {
  using receiver = await startReceiverProcess()
  await using place = await newPlace('PostgreSQL', postgres)
  await using started = new AsyncDisposableStack()
  const installation = newInstallation(place)
  const services: ServiceProcess[] = []
  for (let n = 0; n < processes; n++) services.push(started.use(await startService(installation)))
  const [first] = services
  if (first === undefined) throw new Error('at least one process')
  const customers = await newAccounts(first.url, first.operator, {
    accounts: endpoints,
    endpointsEach: 1,
    url: n => `http://127.0.0.1:${receiver.port}/ok/${n}`,
  })
  const accountIds = customers.map(customer => customer.accountId)
  const urls = services.map(({ url }) => url)
  const feedAll = async (count: number): Promise<void> => {
    await Promise.all(
      urls.map(async url => await feed(url, installation.adminToken, accountIds, count / processes)),
    )
  }
  const serviceCpuMs = (): number => services.reduce((sum, { pid }) => sum + cpuTimeMs(pid), 0)
  await feedAll(warmUp)
  const before = await finished(urls, warmUp)

  const serviceCpu = serviceCpuMs()
  const databaseCpu = cpuTimeMs(postgres.pid())
  const startedMs = performance.now()
  await feedAll(outcomes)
  const all = before + outcomes
  const deliveries = (await finished(urls, all)) - before
  const rate = (deliveries / (performance.now() - startedMs)) * 1_000
  const serviceCpuUs = ((serviceCpuMs() - serviceCpu) * 1_000) / deliveries
  const databaseCpuUs = ((cpuTimeMs(postgres.pid()) - databaseCpu) * 1_000) / deliveries

  for (const service of services) await service.stop()
  const arrived = await receiver.ledger()
  const unbalanced = await balance(place, { accepted: all, deliveries: all, arrived })
  return { rate, serviceCpuUs, databaseCpuUs, duplicates: arrived.requests - arrived.deliveries, unbalanced }
}

import type { Certificate } from '../../packages/server/test/egress/certificate.ts'
import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { newInstallation, startService } from '../../packages/server/test/support/service-process.ts'
import { until } from '../../packages/server/test/support/until.ts'
import { authorityFile } from '../support/authority-file.ts'
import { balance } from '../support/balance.ts'
import { feed, reportsOf } from '../support/feed.ts'
import { finished } from '../support/finished.ts'
import { newAccounts } from '../support/new-accounts.ts'
import { newPlace } from '../support/place.ts'
import { startReceiverProcess } from '../support/receiver-process.ts'
import { medianRssMiB } from '../support/rss.ts'
import { startHanging } from './hanging.ts'

const endpointsEach = 100

/** The additional memory of a service for each attempt in flight, each to a different origin. */
export async function inFlightKiB(
  origins: number,
  warmUps: number,
  seconds: number,
  certificate: Certificate | null,
  postgres: PostgresServer,
): Promise<{ kib: number; unbalanced: string[] }> {
  using receiver = await startReceiverProcess()
  using hanging = await startHanging(origins, certificate)
  await using place = await newPlace('PostgreSQL', postgres)
  using authority = authorityFile(certificate)
  const installation = newInstallation(place)
  await using service = await startService(installation, {
    // endpoints that are not proven share half of it
    POSTHORN_MAX_IN_FLIGHT: String(4 * origins),
    POSTHORN_MAX_IN_FLIGHT_PER_ENDPOINT: '1',
    POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '300',
    POSTHORN_LEASE_SECONDS: '310',
    // retries handshakes that time out because too many run at once
    POSTHORN_RETRY_BASE_SECONDS: '1',
    ...(certificate !== null && { NODE_EXTRA_CA_CERTS: authority.path }),
  })
  const [warm] = await newAccounts(service.url, service.operator, {
    accounts: 1,
    endpointsEach: 1,
    url: () => `http://127.0.0.1:${receiver.port}/ok/1`,
  })
  const customers = await newAccounts(service.url, service.operator, {
    accounts: origins / endpointsEach,
    endpointsEach,
    url: n => hanging.urls[n] ?? '',
  })
  const report = async (accountIds: string[], outcomes: number): Promise<void> =>
    await feed(service.url, installation.adminToken, reportsOf(accountIds, outcomes))
  await report([warm?.accountId ?? ''], warmUps)
  await finished(service.url, warmUps)
  const idle = await medianRssMiB(service.pid, seconds)
  await report(
    customers.map(({ accountId }) => accountId),
    customers.length,
  )
  const inFlight = async (): Promise<number> => {
    const text = await (await fetch(`${service.url}/metrics`)).text()
    return Number(/^posthorn_attempts_in_flight (\d+)$/m.exec(text)?.[1])
  }
  const all = async (): Promise<boolean> =>
    (await inFlight()) === origins && (await hanging.count()) >= origins
  await until('all attempts are in flight', async () => (await all()) || undefined, 120_000)
  const kib = ((await medianRssMiB(service.pid, seconds)) - idle) * (1_024 / origins)
  await service.kill()

  const arrived = await receiver.ledger()
  const hung = await hanging.count()
  const unbalanced = await balance(place, {
    accepted: warmUps + customers.length,
    deliveries: warmUps + origins,
    arrived: { ...arrived, requests: arrived.requests + hung, deliveries: arrived.deliveries + origins },
    duplicatesAllowed: true,
  })
  return { kib, unbalanced }
}

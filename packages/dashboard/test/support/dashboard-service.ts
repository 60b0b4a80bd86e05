import { buildDashboard } from '../../../../tools/build-dashboard.ts'
import { type Api, type Customer, expectStatus, newCustomer } from '../../../server/test/support/api.ts'
import { newInstallation, startService } from '../../../server/test/support/service-process.ts'
import { type DnsServer, startDnsServer } from '../../../server/test/support/dns-server.ts'
import { newDatabasePlace } from '../../../server/test/support/test-database.ts'
import { startMailServer } from './mail-server.ts'

/** A service in its own process, with one customer and the current dashboard. */
export interface DashboardService extends AsyncDisposable {
  readonly url: string
  /** Null for the embedded database. */
  readonly databaseUrl: string | null
  readonly operator: Api
  readonly operatorToken: string
  readonly customer: Customer
  /** The DNS records that its checks of sending domains find. */
  readonly dns: DnsServer
  /** Kills its process, like a crash. */
  kill(): Promise<void>
  /** A key of the same account with other scopes. */
  keyWith(scopes: readonly string[]): Promise<string>
}

/** @param serverUrl a PostgreSQL server for the data; default: the embedded database */
export async function startDashboardService(
  settings: Record<string, string>,
  serverUrl: string | null = null,
): Promise<DashboardService> {
  const started = await start(settings, serverUrl)
  return { ...(await withCustomer(started)), [Symbol.asyncDispose]: started[Symbol.asyncDispose] }
}

let shared: Promise<Started> | undefined

/** A new customer of the service that a worker's test files share; it ends with the worker. */
export async function useSharedService(): Promise<DashboardService> {
  // retries start long after the test
  shared ??= start({ POSTHORN_RETRY_BASE_SECONDS: '86400' }, null)
  const started = await shared
  return {
    ...(await withCustomer(started)),
    kill: async () => await Promise.reject(new Error('other tests use this service: start one of your own')),
    [Symbol.asyncDispose]: async () => await Promise.resolve(started.refuseSecrets()),
  }
}

type Started = Pick<DashboardService, 'url' | 'databaseUrl' | 'operator' | 'operatorToken' | 'dns' | 'kill'> &
  AsyncDisposable & { refuseSecrets(): void }

async function start(settings: Record<string, string>, serverUrl: string | null): Promise<Started> {
  await buildDashboard()
  const place = await newDatabasePlace({ name: serverUrl === null ? 'PGlite' : 'PostgreSQL', serverUrl })
  const installation = newInstallation(place)
  const dns = await startDnsServer()
  const mailServer = await startMailServer()
  const service = await startService(installation, {
    POSTHORN_DNS_SERVERS: dns.address,
    POSTHORN_SMTP_URL: mailServer.url,
    POSTHORN_RETURN_PATH_DOMAIN: 'bounces.posthorn.test',
    ...settings,
  })
  return {
    url: service.url,
    databaseUrl: place.databaseUrl,
    operator: service.operator,
    operatorToken: installation.adminToken,
    dns,
    kill: async () => await service.kill(),
    refuseSecrets: () => service.refuseSecrets(),
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]()
      await mailServer[Symbol.asyncDispose]()
      await dns[Symbol.asyncDispose]()
      await place[Symbol.asyncDispose]()
    },
  }
}

async function withCustomer(started: Started): Promise<Omit<DashboardService, keyof AsyncDisposable>> {
  const { url, databaseUrl, operator, operatorToken, dns, kill } = started
  const customer = await newCustomer(url, operator, 10)
  return {
    url,
    databaseUrl,
    operator,
    operatorToken,
    dns,
    kill,
    customer,
    keyWith: async scopes =>
      expectStatus(
        201,
        await operator.post<{ api_key: string }>(`/v1/accounts/${customer.accountId}/api-keys`, {
          name: scopes.join(' and '),
          scopes,
        }),
      ).api_key,
  }
}

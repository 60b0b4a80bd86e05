import { buildDashboard } from '../../../../tools/build-dashboard.ts'
import { type Api, type Customer, expectStatus, newCustomer } from '../../../server/test/support/api.ts'
import { newInstallation, startService } from '../../../server/test/support/service-process.ts'
import { type DnsServer, startDnsServer } from '../../../server/test/support/dns-server.ts'
import { newDatabasePlace } from '../../../server/test/support/test-database.ts'
import { startMailServer } from './mail-server.ts'

/** A service in a process of its own, with one customer, serving the page as it is written now. */
export interface DashboardService extends AsyncDisposable {
  readonly url: string
  readonly operator: Api
  readonly operatorToken: string
  readonly customer: Customer
  /** What its checks of sending domains find. */
  readonly dns: DnsServer
  /** Ends its process, as a crash would. */
  kill(): Promise<void>
  /** A key of the same account with other scopes. */
  keyWith(scopes: readonly string[]): Promise<string>
}

/** @param serverUrl a PostgreSQL server to keep the data; the embedded database without */
export async function startDashboardService(
  settings: Record<string, string> = {},
  serverUrl: string | null = null,
): Promise<DashboardService> {
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
  const customer = await newCustomer(service.url, service.operator, 10)
  return {
    url: service.url,
    operator: service.operator,
    operatorToken: installation.adminToken,
    customer,
    dns,
    kill: async () => await service.kill(),
    keyWith: async scopes =>
      expectStatus(
        201,
        await service.operator.post<{ api_key: string }>(`/v1/accounts/${customer.accountId}/api-keys`, {
          name: scopes.join(' and '),
          scopes,
        }),
      ).api_key,
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]()
      await mailServer[Symbol.asyncDispose]()
      await dns[Symbol.asyncDispose]()
      await place[Symbol.asyncDispose]()
    },
  }
}

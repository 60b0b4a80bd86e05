import { newCustomer, type Customer, expectStatus } from '../../support/api.ts'
import { startDnsServer } from '../../support/dns-server.ts'
import { newInstallation, type ServiceProcess, startService } from '../../support/service-process.ts'
import { type DatabasePlace, newDatabasePlace, newestServer } from '../../support/test-database.ts'
import type { ApiDocument } from './api-requests.ts'

/** A service with two accounts that have one of each resource. It sends no DNS query out of this machine. */
export interface TwoAccounts extends AsyncDisposable {
  service: ServiceProcess
  operatorToken: string
  document: ApiDocument
  /** The account that sends the requests. */
  own: AccountThings
  /** The account whose data must stay hidden. */
  foreign: AccountThings
}

export interface AccountThings {
  customer: Customer
  ids: string[]
  /** A word in every text of the account. */
  word: string
}

/** @param more additional settings of the service */
export async function startTwoAccounts(
  more: (place: DatabasePlace) => Record<string, string> = () => ({}),
): Promise<TwoAccounts> {
  await using opened = new AsyncDisposableStack()
  const place = opened.use(await newDatabasePlace(newestServer()))
  const dns = opened.use(await startDnsServer())
  const installation = newInstallation(place)
  const service = opened.use(
    await startService(installation, {
      POSTHORN_DNS_SERVERS: dns.address,
      // not to addresses of this machine either
      POSTHORN_EGRESS_ALLOW: '',
      POSTHORN_RETRY_BASE_SECONDS: '10000000',
      POSTHORN_RETRY_CAP_SECONDS: '10000000',
      ...more(place),
    }),
  )
  const newAccount = async (word: string): Promise<AccountThings> => {
    const customer = await newCustomer(service.url, service.operator)
    return { customer, word, ids: await makeThings(customer, word) }
  }
  const own = await newAccount('sparrow')
  const foreign = await newAccount('nightingale')
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as ApiDocument
  const running = opened.move()
  return {
    service,
    operatorToken: installation.adminToken,
    document,
    own,
    foreign,
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  }
}

const idPattern = /\b[a-z]{2,4}_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g

/** Creates one of each resource, each with the word in it, and finds all ids that the account can see. */
async function makeThings(customer: Customer, word: string): Promise<string[]> {
  const { api } = customer
  const webhook = await customer.newWebhook({ url: `https://${word}.example.com/`, description: word })
  await customer.report(3, {
    data: { email_id: `mail-${word}`, to: [`${word}@example.org`], metadata: { note: word } },
  })
  const made = [
    await api.post(`/v1/webhooks/${webhook.id}/signing-keys/stage`),
    await api.post(`/v1/webhooks/${webhook.id}/replays`, { since: '2026-01-01T00:00:00.000Z' }),
    await api.post('/v1/suppressions', { address: `${word}-suppressed@example.org` }),
    await api.post('/v1/domains', { name: `${word}.example.net` }),
    await api.post('/v1/erasures', { recipient: `${word}-erased@example.org` }),
  ]
  for (const answer of made) if (answer.status >= 300) throw new Error(JSON.stringify(answer.body))
  const lists = [
    'webhooks',
    'events',
    'deliveries',
    'suppressions',
    'domains',
    'api-keys',
    'replays',
    'audit-log',
  ]
  const seen = [made.map(({ body }) => body), customer.accountId]
  for (const list of lists) seen.push(expectStatus(200, await api.get<object[]>(`/v1/${list}?limit=100`)))
  return [...new Set(JSON.stringify(seen).match(idPattern))]
}

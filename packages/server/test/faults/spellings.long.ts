import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Delivery, TestEvent, UrlCheck, Webhook } from '@posthorn/contract'
import { expect } from 'vitest'
import { openDatabase } from '../../src/db/open-database.ts'
import { parseTypeId } from '../../src/domain/type-id.ts'
import { posthorn } from '../cli/posthorn-process.ts'
import { loopbackSpellings } from '../egress/loopback-spellings.ts'
import { type Customer, customerAt, expectStatus, newCustomer, type Page } from '../support/api.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { type DatabasePlace, newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import * as behaves from './behaviours.ts'
import { fault } from './fault.ts'
import { startFaultReceiver } from './fault-receiver.ts'
import { hostsOf } from './generated/url-spellings.ts'

const harmless = 'https://hooks.example.com/'
/** The limit of URL checks per minute for an account. */
const checksMax = 10

/** Every spelling of this machine's addresses as a URL, with a port that listens. */
function allSpellings(port: number): string[] {
  const hosts = [
    ...hostsOf({ family: 4, value: 0x7f000001n }),
    ...hostsOf({ family: 4, value: 0n }),
    ...hostsOf({ family: 6, value: 1n }),
  ]
  const urls = [...loopbackSpellings, ...hosts.map(host => `http://${host}:PORT/`)]
  return [...new Set(urls)].map(url => url.replace('PORT', String(port)))
}

fault('F46', 'no entry point and no URL spelling leads to a connection to a private address', async seen => {
  await using first = await newDatabasePlace(newestServer())
  await using second = await newDatabasePlace(newestServer())
  await using dns = await startDnsServer()
  await using inside = await startFaultReceiver(behaves.answers(204), '::')
  const installation = newInstallation(first)
  const urls = allSpellings(inside.port)
  // a name may be saved, whatever it resolves to
  dns.addresses('inside.example.com', '127.0.0.1')
  const stored = [...urls, `http://inside.example.com:${inside.port}/`]

  await using service = await startService(installation, settings(dns))
  const customer = await newCustomer(service.url, service.operator)
  await expectRefusedAtTheDoor(service, customer, urls)

  const webhooks = await storeBehindTheApi(customer, first, stored)
  await expectAllRefused(customer, stored.length)
  await expectTestEventsRefused(customer, webhooks)
  await moveAccounts(first, second)
  await service.stop()
  {
    await using moved = await startService({ ...installation, place: second }, settings(dns))
    await expectAllRefused(customerAt(moved.url, customer.accountId, customer.apiKey), stored.length)
  }
  expect(inside.reachedAt).toEqual([])
  seen(
    `${urls.length} spellings through save, PATCH, notices, checks, test events, import and dispatch; 0 connections`,
  )

  // if the operator allows the address, the same row is delivered to
  const opened = { ...settings(dns), POSTHORN_EGRESS_ALLOW: '127.0.0.0/8' }
  await using open = await startService({ ...installation, place: second }, opened)
  await customerAt(open.url, customer.accountId, customer.apiKey).report(1)
  await until('one comes through', () => inside.requests() > 0)
})

const settings = (dns: DnsServer): Record<string, string> => ({
  POSTHORN_EGRESS_ALLOW: '',
  POSTHORN_DNS_SERVERS: dns.address,
  POSTHORN_RETRY_BASE_SECONDS: '10000000',
  POSTHORN_RETRY_CAP_SECONDS: '10000000',
})

async function expectRefusedAtTheDoor(
  { url: base, operator }: ServiceProcess,
  customer: Customer,
  urls: readonly string[],
): Promise<void> {
  const { api } = customer
  const webhook = await customer.newWebhook({ url: harmless })
  for (const url of urls) {
    for (const answer of [
      await api.post<{ code: string }>('/v1/webhooks', { url }),
      await api.patch<{ code: string }>(`/v1/webhooks/${webhook.id}`, { url }),
      await api.put<{ code: string }>('/v1/notice-webhook', { url }),
    ]) {
      expect([url, answer.status, answer.body.code]).toEqual([url, 422, 'url_not_allowed'])
    }
  }
  const { data } = expectStatus(200, await api.get<Page<Webhook>>('/v1/webhooks'))
  expect(data.map(one => one.url)).toEqual([harmless])
  for (let from = 0; from < urls.length; from += checksMax) {
    const other = await newCustomer(base, operator)
    for (const url of urls.slice(from, from + checksMax)) {
      const { status, body } = await other.api.post<UrlCheck>('/v1/url-checks', { url })
      expect(status === 422 || (status === 200 && !body.ok), `${url}: ${JSON.stringify(body)}`).toBe(true)
    }
  }
}

/** Creates a webhook for each URL and writes the URL into its row, as an older release with a weaker check might have done. */
async function storeBehindTheApi(
  customer: Customer,
  { databaseUrl, dataDir }: DatabasePlace,
  urls: readonly string[],
): Promise<string[]> {
  const onLost = (error: Error): never => {
    throw error
  }
  await using database = await openDatabase({ url: databaseUrl, dataDir, connectionsMax: 1, onLost })
  const ids: string[] = []
  for (const url of urls) {
    const { id } = await customer.newWebhook({ url: harmless, events: ['email.delivered'] })
    await database.query('update endpoint set url = $2, version = version + 1 where id = $1', [
      parseTypeId('wh', id),
      url,
    ])
    ids.push(id)
  }
  return ids
}

async function expectAllRefused(customer: Customer, count: number): Promise<void> {
  const [event] = await customer.report(1)
  const path = `/v1/deliveries?event_id=${event}&limit=250&state=failed&error_code=address_refused`
  await until('each delivery is refused', async () => {
    const { data } = expectStatus(200, await customer.api.get<Page<Delivery>>(path))
    return data.length >= count
  })
}

async function expectTestEventsRefused(customer: Customer, webhooks: readonly string[]): Promise<void> {
  for (const id of webhooks) {
    const { delivery_id: delivery } = expectStatus(
      202,
      await customer.api.post<TestEvent>(`/v1/webhooks/${id}/test`, { type: 'email.bounced' }),
    )
    const { last_error_code: code } = await until('the test event was tried', async () => {
      const answer = await customer.api.get<Delivery>(`/v1/deliveries/${delivery}`)
      return expectStatus(200, answer).attempt_count > 0 && answer.body
    })
    expect(code).toBe('address_refused')
  }
}

async function moveAccounts(from: DatabasePlace, to: DatabasePlace): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-move-'))
  const file = join(folder, 'setup.ndjson')
  const envOf = (place: DatabasePlace): Record<string, string> => ({
    POSTHORN_DATA_DIR: place.dataDir,
    DATABASE_URL: String(place.databaseUrl),
  })
  try {
    expect(await posthorn(['export', file], { env: envOf(from) })).toMatchObject({ code: 0 })
    expect(await posthorn(['import', file], { env: envOf(to) })).toMatchObject({ code: 0 })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

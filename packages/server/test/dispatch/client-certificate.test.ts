import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import type { EndpointCheck, Webhook, WebhookHealth } from '@posthorn/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Certificate, makeCertificate } from '../egress/certificate.ts'
import { type Customer, expectStatus, newCustomer } from '../support/api.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { type DatabasePlace, newDatabasePlace, newestServer } from '../support/test-database.ts'
import { startTlsReceiver, type TlsReceiver } from '../support/tls-receiver.ts'
import { until } from '../support/until.ts'

const authority = makeCertificate({ name: 'Authority of the server', isAuthority: true })
const clientAuthority = makeCertificate({ name: 'Authority of the clients', isAuthority: true })
const serverCertificate = makeCertificate({ name: 'receiver', hosts: ['localhost'], issuer: authority })
const client = (name: string, days = 30): Certificate =>
  makeCertificate({ name, issuer: clientAuthority, validDays: [-40, days] })
const given = ({ cert, key }: Certificate) => ({ certificate: cert, private_key: key })

let place: DatabasePlace
let service: ServiceProcess
let acme: Customer
let receiver: TlsReceiver
/** The name in the client certificate of each request, and the port that it came from. */
const shown: { path: string; name: string; port: number | undefined }[] = []

beforeAll(async () => {
  place = await newDatabasePlace(newestServer())
  const file = join(place.dataDir, 'authority.pem')
  writeFileSync(file, authority.cert)
  service = await startService(newInstallation(place), { NODE_EXTRA_CA_CERTS: file })
  acme = await newCustomer(service.url, service.operator)
  receiver = await startTlsReceiver(
    serverCertificate,
    (request, response) => {
      shown.push({ path: String(request.url), name: nameShownBy(request), port: request.socket.remotePort })
      request.resume().once('end', () => response.writeHead(204).end())
    },
    { ca: clientAuthority.cert, requestCert: true, rejectUnauthorized: true },
  )
})
afterAll(async () => {
  await receiver[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
  await place[Symbol.asyncDispose]()
})

test('an endpoint shows its client certificate, the newest one, and no answer contains the key', async () => {
  const first = client('first.acme.test')
  const second = client('second.acme.test', 20)
  const created = await acme.newWebhook({ url: receiver.url('/one'), client_certificate: given(first) })
  const path = `/v1/webhooks/${created.id}`
  const seen = async (count: number): Promise<string[]> => {
    await acme.report(1)
    const own = () => shown.filter(one => one.path === '/one').map(one => one.name)
    await until('it has arrived', () => own().length >= count)
    return own()
  }
  expect(created.client_certificate).toMatchObject({ subject: 'CN=first.acme.test' })
  expect(await seen(1)).toEqual(['first.acme.test'])

  const replaced = expectStatus(
    200,
    await acme.api.patch<Webhook>(path, { client_certificate: given(second) }),
  )
  expect(replaced.client_certificate?.subject).toBe('CN=second.acme.test')
  const days = (Date.parse(replaced.client_certificate?.expires_at ?? '') - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(20)
  expect(await seen(2)).toEqual(['first.acme.test', 'second.acme.test'])
  const before = shown.length
  const check = expectStatus(200, await acme.api.post<EndpointCheck>(`${path}/check`))
  const shownToCheck = new Set(shown.slice(before).map(one => one.name))
  expect([...shownToCheck]).toEqual(['second.acme.test'])

  const removed = expectStatus(200, await acme.api.patch<Webhook>(path, { client_certificate: null }))
  expect(removed.client_certificate).toBeNull()
  await acme.report(1)
  const failed = await until(
    'an attempt without a certificate fails',
    async () => (await acme.deliveries(created.id, '&state=failed'))[0],
  )
  // in TLS 1.3, a reset may arrive before the reason
  expect(failed.last_error_code).toMatch(/tls_failed|connection_reset/)

  const answers = [created, replaced, check, (await acme.api.get('/v1/audit-log')).body, service.output()]
  for (const { key } of [first, second]) {
    const line = key.split('\n')[1] ?? ''
    expect(line.length).toBeGreaterThan(40)
    expect(JSON.stringify(answers)).not.toContain(line)
  }
  expectStatus(204, await acme.api.delete(path))
})

test('the health of an endpoint warns two weeks before its client certificate expires', async () => {
  const codesFor = async (days: number): Promise<string[]> => {
    const client_certificate = given(client(`${days}.acme.test`, days))
    const { id } = await acme.newWebhook({ url: 'https://localhost/', enabled: false, client_certificate })
    const health = expectStatus(200, await acme.api.get<WebhookHealth>(`/v1/webhooks/${id}/health`))
    expectStatus(204, await acme.api.delete(`/v1/webhooks/${id}`))
    return health.warnings.map(({ code }) => code)
  }
  expect(await codesFor(15)).toEqual([])
  expect(await codesFor(13)).toEqual(['client_certificate_expires_soon'])
})

test('endpoints of one server with different certificates never share a connection', async () => {
  const names = ['a.acme.test', 'b.acme.test']
  const webhooks = await Promise.all(
    names.map(
      async name =>
        await acme.newWebhook({ url: receiver.url(`/${name}`), client_certificate: given(client(name)) }),
    ),
  )
  for (let round = 1; round <= 4; round++) {
    await acme.report(2)
    await until('all have arrived', () =>
      names.every(name => shown.filter(one => one.path === `/${name}`).length >= 2 * round),
    )
  }
  const users = new Map<number | undefined, Set<string>>()
  for (const { path, name, port } of shown.filter(one => names.includes(one.path.slice(1)))) {
    expect(path).toBe(`/${name}`)
    users.set(port, (users.get(port) ?? new Set()).add(name))
  }
  for (const [, users_] of users) expect(users_.size).toBe(1)
  for (const { id } of webhooks) expectStatus(204, await acme.api.delete(`/v1/webhooks/${id}`))
})

const good = client('good.acme.test')
const shortKey = String(
  generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
)
const shortCurve = String(
  generateKeyPairSync('ec', { namedCurve: 'prime192v1' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
)
const encrypted = createPrivateKey(good.key).export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: 'secret',
})

test.each([
  ['no certificate', { certificate: 'x', private_key: good.key }, 'certificate', /^has no PEM certificate/],
  [
    'a damaged one',
    { ...given(good), certificate: good.cert.replace('MII', 'MMM') },
    'certificate',
    /^cannot be read/,
  ],
  [
    'an expired one',
    given(client('old.acme.test', -3)),
    'certificate',
    /^expired on \d{4}-\d\d-\d\d: renew it$/,
  ],
  [
    'the key of another',
    { ...given(good), private_key: client('other').key },
    'private_key',
    /^does not belong/,
  ],
  [
    'an encrypted key',
    { ...given(good), private_key: String(encrypted) },
    'private_key',
    /^is encrypted: remove/,
  ],
  ['a short key', { ...given(good), private_key: shortKey }, 'private_key', /^has 1024 bits: TLS needs/],
  ['a short curve', { ...given(good), private_key: shortCurve }, 'private_key', /^has the curve prime192v1/],
  ['no key', { ...given(good), private_key: good.cert }, 'private_key', /^cannot be read/],
] as const)('%s is refused, and the error says why', async (_, client_certificate, field, message) => {
  const refused = await acme.api.post<{ errors: object[] }>('/v1/webhooks', {
    url: 'https://example.com/',
    client_certificate,
  })
  expect(refused.status).toBe(422)
  expect(refused.body.errors).toEqual([
    { path: `/client_certificate/${field}`, message: expect.stringMatching(message) },
  ])
})

test('a certificate needs no subject', async () => {
  const nameless = { url: 'https://example.com/', client_certificate: given(client('')) }
  const { id, client_certificate } = expectStatus(201, await acme.api.post<Webhook>('/v1/webhooks', nameless))
  expect(client_certificate).toMatchObject({ subject: '' })
  expectStatus(204, await acme.api.delete(`/v1/webhooks/${id}`))
})

function nameShownBy(request: IncomingMessage): string {
  return String((request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? '')
}

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Erasure, examples } from '@posthorn/contract'
import { createVerifier } from '@posthorn/receiver'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeCertificate } from '../egress/certificate.ts'
import { customerAt, expectStatus, newCustomer } from '../support/api.ts'
import { copyEmbeddedDatabase } from '../support/embedded-template.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { embedded, newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { posthorn, spawnPosthorn } from './posthorn-process.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-move-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a setup moves from the embedded database to a server: keys, secrets and sequence numbers keep working', async () => {
  await using laptop = await newDatabasePlace(embedded)
  await using server = await newDatabasePlace(newestServer())
  await using receiver = await startReceiver()
  const installation = newInstallation(laptop)
  const file = join(folder, 'setup.ndjson')
  const there = { POSTHORN_DATA_DIR: server.dataDir, DATABASE_URL: String(server.databaseUrl) }

  const before = await startService(installation)
  const customer = await newCustomer(before.url, before.operator)
  const client = makeCertificate({ name: 'client' })
  const endpoint = await customer.newWebhook({
    url: receiver.url(),
    headers: { 'X-Tenant': 'acme' },
    standard_webhooks: true,
    attempt_timeout_seconds: 9,
    client_certificate: { certificate: client.cert, private_key: client.key },
  })
  await customer.report(2)
  const suppressed = { address: 'ann@example.org' }
  expect((await customer.api.post('/v1/suppressions', suppressed)).status).toBe(201)
  expect((await customer.api.post('/v1/domains', { name: 'mail.acme.example' })).status).toBe(201)
  const source = { kind: 'mailgun', key: 'a-webhook-signing-key' }
  const sources = `/v1/accounts/${customer.accountId}/sources`
  expect((await before.operator.post(sources, source)).status).toBe(201)
  const branding = await customer.api.patch('/v1/branding', examples.updateBranding.body)
  expect(branding).toMatchObject({ status: 200, body: examples.updateBranding.answer })
  await receiver.waitForEvents(2)
  const erasure = await customer.api.post<Erasure>('/v1/erasures', { recipient: 'bob@example.org' })
  const { id: erasureId } = expectStatus(202, erasure)
  const isErased = async (api: typeof customer.api): Promise<boolean> =>
    expectStatus(200, await api.get<Erasure>(`/v1/erasures/${erasureId}`)).state === 'done'
  await until('the person is erased', async () => await isErased(customer.api))
  expect(await before.stop()).toBe(0)

  const exported = await posthorn(['export', file], { env: { POSTHORN_DATA_DIR: laptop.dataDir } })
  expect(exported).toMatchObject({ code: 0, stderr: '' })
  const text = readFileSync(file, 'utf8')
  expect(text).not.toContain(endpoint.secret)
  expect(text).not.toContain(client.key.split('\n')[1])
  expect(text).not.toContain(customer.apiKey)
  expect(text).not.toContain(source.key)
  expect(statSync(file).mode & 0o777).toBe(0o600)

  const ofMail = { mail_key: 1, suppression: 1, sending_domain: 1, provider_source: 1, erasure: 1 }
  const rows = { account: 1, api_key: 1, endpoint: 1, signing_key: 1, ...ofMail }
  const imported = await posthorn(['import', file, '--json'], { env: there })
  expect(JSON.parse(imported.stdout)).toEqual(rows)
  const twice = await posthorn(['import', file, '--json'], { env: there })
  const none = Object.fromEntries(Object.keys(rows).map(table => [table, 0]))
  expect(JSON.parse(twice.stdout)).toEqual(none)

  await using after = await startService({ ...installation, place: server })
  const moved = customerAt(after.url, customer.accountId, customer.apiKey)
  const { body: found } = await moved.api.get('/v1/suppressions?address=Ann@example.org')
  expect(found).toMatchObject({ data: [suppressed] })
  expect(await isErased(moved.api)).toBe(true)
  expect((await moved.api.get('/v1/branding')).body).toEqual(branding.body)
  const { secret: _, ...settings } = endpoint
  expect((await moved.api.get(`/v1/webhooks/${endpoint.id}`)).body).toEqual(settings)
  await moved.report(1)
  await receiver.waitForEvents(3)
  const last = receiver.received.at(-1)
  expect(last).toMatchObject({ sequence: 3, headers: { 'x-tenant': 'acme' } })
  const verifier = createVerifier({ secrets: endpoint.secret })
  expect(await verifier.safeVerify(last?.body ?? '', last?.signature ?? '')).toMatchObject({ ok: true })
})

test('an import is rejected without the right master keys, and signs deliveries correctly with them', async () => {
  await using laptop = await newDatabasePlace(embedded)
  await using receiver = await startReceiver()
  const installation = newInstallation(laptop)
  const before = await startService(installation)
  const customer = await newCustomer(before.url, before.operator)
  const endpoint = await customer.newWebhook({ url: receiver.url() })
  expect(await before.stop()).toBe(0)
  const file = join(folder, 'setup.ndjson')
  expect(await posthorn(['export', file], { env: { POSTHORN_DATA_DIR: laptop.dataDir } })).toMatchObject({
    code: 0,
  })

  const dataDir = join(folder, 'new')
  const env = { POSTHORN_DATA_DIR: dataDir }
  const keyless = await posthorn(['import', file], { env })
  expect(keyless).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--master-keys') })
  expect(existsSync(dataDir)).toBe(false)

  const keys = join(folder, 'keys')
  writeFileSync(keys, `test:${Buffer.alloc(32, 1).toString('base64')}\n`)
  for (const given of [
    { args: ['--master-keys', keys], env },
    { args: [], env: { ...env, POSTHORN_MASTER_KEYS: readFileSync(keys, 'utf8') } },
  ]) {
    const wrong = await posthorn(['import', file, ...given.args], { env: given.env })
    expect(wrong).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('is a different key'),
    })
    expect(existsSync(dataDir)).toBe(false)
  }

  writeFileSync(keys, `${installation.masterKeys}\n`)
  for (const _time of ['first', 'repeated']) {
    const imported = await posthorn(['import', file, '--master-keys', keys], { env })
    expect(imported).toMatchObject({ code: 0, stderr: '' })
  }
  expect(statSync(join(dataDir, 'master-keys')).mode & 0o777).toBe(0o600)
  await using service = spawnPosthorn(['start'], {
    env: { ...env, POSTHORN_PORT: '0', POSTHORN_EGRESS_ALLOW: '127.0.0.0/8', POSTHORN_EGRESS_HTTP: 'true' },
  })
  await customerAt(await service.url(), customer.accountId, customer.apiKey).report(1)
  await receiver.waitForEvents(1)
  const [received] = receiver.received
  const verifier = createVerifier({ secrets: endpoint.secret })
  expect(await verifier.safeVerify(received?.body ?? '', received?.signature ?? '')).toMatchObject({
    ok: true,
  })
})

test('start never creates a master key if existing secrets need another one', async () => {
  await using place = await newDatabasePlace(embedded)
  const env = { POSTHORN_DATA_DIR: place.dataDir, POSTHORN_PORT: '0' }
  const before = await startService(newInstallation(place))
  const customer = await newCustomer(before.url, before.operator)
  await customer.newWebhook({ url: 'https://hooks.customer.example/' })
  expect(await before.stop()).toBe(0)

  const refused = await posthorn(['start'], { env })
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('there are no master keys') })
  expect(existsSync(join(place.dataDir, 'master-keys'))).toBe(false)
})

test('one account moves to another installation without the others', async () => {
  await using here = await newDatabasePlace(newestServer())
  await using there = await newDatabasePlace(newestServer())
  await using receiver = await startReceiver()
  const installation = newInstallation(here)
  await using first = await startService(installation)
  const stays = await newCustomer(first.url, first.operator)
  await stays.newWebhook({ url: receiver.url() })
  const moves = await newCustomer(first.url, first.operator)
  await moves.newWebhook({ url: receiver.url('/moved') })

  const file = join(folder, 'account.ndjson')
  const env = { POSTHORN_DATA_DIR: here.dataDir, DATABASE_URL: String(here.databaseUrl) }
  for (const [account, reason] of [
    ['acct_00000000000000000000000000', 'account does not exist'],
    ['acme', 'is not an account id'],
  ] as const) {
    const refused = await posthorn(['export', file, '--account', account], { env })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) })
  }
  const exported = await posthorn(['export', file, '--account', moves.accountId], { env })
  expect(exported).toMatchObject({ code: 0, stderr: '' })

  await using second = await startService({ ...installation, place: there })
  const target = { POSTHORN_DATA_DIR: there.dataDir, DATABASE_URL: String(there.databaseUrl) }
  expect(await posthorn(['import', file], { env: target })).toMatchObject({ code: 0 })
  await customerAt(second.url, moves.accountId, moves.apiKey).report(1)
  await receiver.waitForEvents(1)
  expect(receiver.received.map(one => one.path)).toEqual(['/moved'])
  expect((await customerAt(second.url, stays.accountId, stays.apiKey).api.get('/v1/webhooks')).status).toBe(
    401,
  )
})

test('an export with another schema version or a broken line is rejected with the reason', async () => {
  const env = { POSTHORN_DATA_DIR: join(folder, 'data') }
  await copyEmbeddedDatabase(env.POSTHORN_DATA_DIR, 'schema')
  const file = join(folder, 'setup.ndjson')
  await posthorn(['export', file], { env })
  const head = readFileSync(file, 'utf8')

  const account = (id: string): string =>
    `${JSON.stringify({ table: 'account', row: { id, name: 'Acme', max_endpoints: 1, created_at: '2026-01-01' } })}\n`
  const [one, other] = ['01890a5d-ac96-774b-bcce-b302099a8057', '01890a5d-ac96-774b-bcce-b303099a8057']

  for (const [content, reason] of [
    [head + account(one) + account(other), 'line 3: another account here has an id with the same last eight'],
    [head.replace(/"schema_version":\d+/, '"schema_version":999'), 'schema version 999'],
    [`${head}{"table":"event","row":{}}\n`, 'line 2 is not a row'],
    [`${head}{"table":\n`, 'line 2 is not valid JSON'],
    ['{}\n', 'is not a Posthorn export'],
  ] as const) {
    writeFileSync(file, content)
    const refused = await posthorn(['import', file], { env })
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(reason) })
  }
})

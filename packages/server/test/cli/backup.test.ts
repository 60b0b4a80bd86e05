import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createVerifier } from '@posthorn/receiver'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectApi, customerAt, newCustomer } from '../support/api.ts'
import { copyEmbeddedDatabase } from '../support/embedded-template.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { posthorn, spawnPosthorn } from './posthorn-process.ts'

let folder: string
let settings: Record<string, string>

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-backup-'))
  settings = { POSTHORN_PORT: '0', POSTHORN_EGRESS_ALLOW: '127.0.0.0/8', POSTHORN_EGRESS_HTTP: 'true' }
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a backup taken under load holds every event acknowledged before it and works in another installation', async () => {
  const first = { ...settings, POSTHORN_DATA_DIR: join(folder, 'first') }
  const second = { ...settings, POSTHORN_DATA_DIR: join(folder, 'second') }
  const file = join(folder, 'backup.tar.gz')
  await using receiver = await startReceiver()
  await copyEmbeddedDatabase(first.POSTHORN_DATA_DIR, 'schema')
  await using service = spawnPosthorn(['start'], { env: first })
  const url = await service.url()
  const adminToken = readFileSync(join(folder, 'first/admin-token'), 'utf8').trim()
  const customer = await newCustomer(url, connectApi(url, adminToken))
  const endpoint = await customer.newWebhook({ url: receiver.url(), enabled: false })

  const acknowledged = new Set<string>()
  const stop = new AbortController()
  const load = (async () => {
    while (!stop.signal.aborted) for (const id of await customer.report(20)) acknowledged.add(id)
  })()
  await until('some events are stored', () => acknowledged.size >= 200)
  const before = [...acknowledged]
  const backup = await posthorn(['backup', file], { env: { ...first, POSTHORN_URL: url } })
  stop.abort()
  await load
  expect(backup).toMatchObject({ code: 0, stderr: '' })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await service.end('SIGKILL')

  const keys = ['--master-keys', join(folder, 'first/master-keys')]
  const restored = await posthorn(['restore', file, ...keys], { env: second })
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  await using again = spawnPosthorn(['start'], { env: second })
  const there = customerAt(await again.url(), customer.accountId, customer.apiKey)
  const deliveries = await there.deliveries(endpoint.id)
  expect(deliveries.length).toBeGreaterThanOrEqual(before.length)
  const events = new Set(deliveries.map(({ event_id: id }) => id))
  expect(before.filter(id => !events.has(id))).toEqual([])

  // the restored service can open the sealed secret: its deliveries verify with the customer's secret
  await there.api.patch(`/v1/webhooks/${endpoint.id}`, { enabled: true })
  await receiver.waitForEvents(1)
  const { body, signature } = receiver.received[0] ?? { body: Buffer.of(), signature: '' }
  const verifier = createVerifier({ secrets: endpoint.secret })
  expect(await verifier.safeVerify(body, signature)).toMatchObject({ ok: true })
})

test('backup and restore overwrite nothing, and restore rejects missing master keys and a running service', async () => {
  const env = { ...settings, POSTHORN_DATA_DIR: join(folder, 'data') }
  const file = join(folder, 'backup.tar.gz')
  await copyEmbeddedDatabase(env.POSTHORN_DATA_DIR, 'schema')
  await using service = spawnPosthorn(['start'], { env })
  const url = await service.url()
  expect(await posthorn(['backup', file], { env: { ...env, POSTHORN_URL: url } })).toMatchObject({ code: 0 })

  const twice = await posthorn(['backup', file], { env: { ...env, POSTHORN_URL: url } })
  expect(twice).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('already exists: use another file name'),
  })
  const beside = await posthorn(['restore', file], { env })
  expect(beside).toMatchObject({ code: 1, stderr: expect.stringContaining('in use by another Posthorn') })
  expect(await service.end('SIGTERM')).toBe(0)
  const over = await posthorn(['restore', file], { env })
  expect(over).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('into a data directory that has no database'),
  })

  const elsewhere = { ...settings, POSTHORN_DATA_DIR: join(folder, 'elsewhere') }
  const keyless = await posthorn(['restore', file], { env: elsewhere })
  expect(keyless).toMatchObject({ code: 1, stderr: expect.stringContaining('--master-keys') })
  expect(existsSync(join(folder, 'elsewhere/database'))).toBe(false)
})

test('a restore with different master keys is rejected, even if they have the same id', async () => {
  const env = { ...settings, POSTHORN_DATA_DIR: join(folder, 'data') }
  const file = join(folder, 'backup.tar.gz')
  await copyEmbeddedDatabase(env.POSTHORN_DATA_DIR, 'schema')
  await using service = spawnPosthorn(['start'], { env })
  const url = await service.url()
  const adminToken = readFileSync(join(folder, 'data/admin-token'), 'utf8').trim()
  const customer = await newCustomer(url, connectApi(url, adminToken))
  await customer.newWebhook({ url: 'https://hooks.customer.example/' })
  expect(await posthorn(['backup', file], { env: { ...env, POSTHORN_URL: url } })).toMatchObject({ code: 0 })

  const elsewhere = { ...settings, POSTHORN_DATA_DIR: join(folder, 'elsewhere') }
  const keys = join(folder, 'keys')
  writeFileSync(keys, `first:${Buffer.alloc(32, 1).toString('base64')}`)
  const wrong = await posthorn(['restore', file, '--master-keys', keys], { env: elsewhere })
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('"first"') })
  expect(existsSync(join(folder, 'elsewhere/database'))).toBe(false)
  expect(existsSync(join(folder, 'elsewhere/master-keys'))).toBe(false)

  // the wrong keys left nothing behind that would prevent a restore with the right ones
  copyFileSync(join(folder, 'data/master-keys'), keys)
  const right = await posthorn(['restore', file, '--master-keys', keys], { env: elsewhere })
  expect(right).toMatchObject({ code: 0, stderr: '' })
})

test('restoring a truncated file leaves no database behind', async () => {
  const env = { ...settings, POSTHORN_DATA_DIR: join(folder, 'data') }
  await copyEmbeddedDatabase(env.POSTHORN_DATA_DIR, 'schema')
  await using service = spawnPosthorn(['start'], { env })
  const file = join(folder, 'whole.tar.gz')
  await posthorn(['backup', file], { env: { ...env, POSTHORN_URL: await service.url() } })
  copyFileSync(join(folder, 'data/master-keys'), join(folder, 'keys'))

  const whole = readFileSync(file)
  const cut = join(folder, 'cut.tar.gz')
  writeFileSync(cut, whole.subarray(0, whole.length / 2))
  const halfTar = join(folder, 'half.tar.gz')
  writeFileSync(halfTar, gzipSync(gunzipSync(whole).subarray(0, 512 * 100)))
  for (const broken of [cut, halfTar]) {
    const place = { ...settings, POSTHORN_DATA_DIR: mkdtempSync(join(folder, 'to-')) }
    const args = ['restore', broken, '--master-keys', join(folder, 'keys')]
    const ended = await posthorn(args, { env: place })
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr.trim().split('\n')).toHaveLength(1)
    expect(existsSync(join(place.POSTHORN_DATA_DIR, 'database'))).toBe(false)
  }
})

test('with a PostgreSQL server, backup is rejected with a reference to the PostgreSQL tools', async () => {
  await using place = await newDatabasePlace(newestServer())
  const installation = newInstallation(place)
  await using service = await startService(installation)
  const env = { POSTHORN_URL: service.url, POSTHORN_ADMIN_TOKEN: installation.adminToken }

  const ended = await posthorn(['backup', join(folder, 'no.tar.gz')], { env })
  expect(ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Back it up with the tools of PostgreSQL'),
  })
  expect(existsSync(join(folder, 'no.tar.gz'))).toBe(false)
})

import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account, Delivery, WebhookCreated } from '@posthorn/contract'
import type { WebhookEvent } from '@posthorn/receiver'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Api, connectApi, type Page } from '../support/api.ts'
import { copyEmbeddedDatabase } from '../support/embedded-template.ts'
import { until } from '../support/until.ts'
import { type Ended, posthorn, type Running, spawnPosthorn } from './posthorn-process.ts'

let dataDir: string
let service: Running
let env: Record<string, string>
let operator: Api
let file: string

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'posthorn-quickstart-'))
  await copyEmbeddedDatabase(dataDir, 'schema')
  // without settings that allow loopback addresses, as a new user starts it
  service = spawnPosthorn(['start'], { env: { POSTHORN_DATA_DIR: dataDir, POSTHORN_PORT: '0' } })
  const url = await service.url()
  env = { POSTHORN_DATA_DIR: dataDir, POSTHORN_URL: url }
  operator = connectApi(url, readFileSync(join(dataDir, 'admin-token'), 'utf8').trim())
  file = join(dataDir, 'quickstart.json')
})

afterEach(async () => {
  await quickstart('--remove')
})

afterAll(async () => {
  await service.end('SIGTERM')
  rmSync(dataDir, { recursive: true })
})

interface Made {
  account_id: string
  api_key: string
  webhook_id: string
  url: string
  events: WebhookEvent[]
}

const types = ['email.delivered', 'email.bounced', 'email.failed', 'email.unsubscribed']

test('one command shows a verified event of each type, what was created and the next steps', async () => {
  const { code, stdout, stderr } = await quickstart()

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const type of types)
    expect(stdout).toMatch(new RegExp(`✓ ${type} +\\w+@example\\.com +\\d+ ms  [A-Z].*\\.`))
  const apiKey = /phk_[0-9A-Za-z]{36}/.exec(stdout)?.[0] ?? ''
  const endpoint = /wh_[0-9a-z]{26}/.exec(stdout)?.[0] ?? ''
  expect(stdout).toContain(`export POSTHORN_API_KEY=${apiKey}`)
  expect(stdout).toContain(`npx posthorn trigger ${endpoint} email.bounced`)
  expect(stdout).toContain('npx posthorn quickstart --listen')
  expect(stdout.trimEnd()).toMatch(/npx posthorn quickstart --remove$/)
  expect(stdout).not.toContain('whsec_')

  const { data } = await deliveriesOf({ api_key: apiKey, webhook_id: endpoint })
  expect(data.map(({ state, event }) => [state, event.type])).toEqual(
    types.toReversed().map(type => ['delivered', type]),
  )
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('without a writable data directory, it creates nothing and says why', async () => {
  const token = readFileSync(join(dataDir, 'admin-token'), 'utf8').trim()
  const before = (await operator.get<Page<Account>>('/v1/accounts')).body
  const blocked = {
    ...env,
    POSTHORN_ADMIN_TOKEN: token,
    POSTHORN_DATA_DIR: join(dataDir, 'admin-token', 'x'),
  }
  const { code, stderr } = await posthorn(['quickstart'], { env: blocked })

  expect(code).toBe(1)
  expect(stderr).toMatch(/^posthorn: cannot write .*quickstart\.json \(ENOTDIR.*set POSTHORN_DATA_DIR.*\n$/)
  expect((await operator.get('/v1/accounts')).body).toEqual(before)
})

test('can be repeated: the same account and the same receiver get four more events', async () => {
  const first = await made()
  const second = await made()

  expect(second).toMatchObject({ account_id: first.account_id, webhook_id: first.webhook_id, url: first.url })
  expect(second.events.map(({ type }) => type)).toEqual(types)
  expect((await deliveriesOf(first)).data).toHaveLength(8)
})

test('the receiver can be started again, and shows the events sent to it', async () => {
  const { api_key: apiKey, webhook_id: id, url } = await made()
  await using listening = spawnPosthorn(['quickstart', '--listen'], { env })
  await until('it listens', () => listening.stdout().includes('Listening at'))
  // a client that sends nothing must not keep the command from ending
  const silent = connect(Number(new URL(url).port), '127.0.0.1')
  await once(silent, 'connect')

  const triggered = await posthorn(['trigger', id, 'email.bounced', '--api-key', apiKey], { env })
  expect(triggered).toMatchObject({ code: 0, stdout: expect.stringContaining('verified the signature v1') })
  await until('it is shown', () => listening.stdout().includes('✓ email.bounced'))

  // the receiver refuses events that are signed with another secret
  const check = await connectApi(env['POSTHORN_URL'] ?? '', apiKey).post(`/v1/webhooks/${id}/check`)
  expect(check.body).toMatchObject({ ok: true, verifies: true })
  await until('it says so', () => listening.stderr().includes('Rejected a request'))
  expect(await listening.end('SIGINT')).toBe(0)
  silent.destroy()
})

test('only this endpoint may use a loopback URL, and only until its URL changes', async () => {
  const { api_key: apiKey, webhook_id: id, url } = await made()
  const api = connectApi(env['POSTHORN_URL'] ?? '', apiKey)
  const refused = { status: 422, body: { code: 'url_not_allowed' } }
  expect(await api.post('/v1/webhooks', { url })).toMatchObject(refused)
  const other = await api.post<WebhookCreated>('/v1/webhooks', { url: 'https://hooks.example.com/' })
  expect(await api.patch(`/v1/webhooks/${other.body.id}`, { url })).toMatchObject(refused)

  expect((await api.patch(`/v1/webhooks/${id}`, { url: 'https://hooks.example.com/' })).status).toBe(200)
  expect(await api.patch(`/v1/webhooks/${id}`, { url })).toMatchObject(refused)
  const again = await quickstart()
  expect(again).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('npx posthorn quickstart --remove'),
  })
})

test('--remove deletes everything that quickstart created', async () => {
  const { account_id: id, api_key: apiKey } = await made()

  const removed = await quickstart('--remove')

  expect(removed).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(id) })
  expect((await operator.get(`/v1/accounts/${id}`)).status).toBe(404)
  expect((await connectApi(env['POSTHORN_URL'] ?? '', apiKey).get('/v1/webhooks')).status).toBe(401)
  expect(existsSync(file)).toBe(false)
  expect(await quickstart('--remove')).toMatchObject({ code: 0, stdout: 'There is nothing to remove.\n' })
  const listening = await quickstart('--listen')
  expect(listening).toMatchObject({ code: 1, stderr: expect.stringContaining('npx posthorn quickstart') })
})

test('an account that was deleted by someone else is created again', async () => {
  const first = await made()
  expect((await operator.delete(`/v1/accounts/${first.account_id}`)).status).toBe(204)

  expect((await made()).account_id).not.toBe(first.account_id)
})

test('the next quickstart removes what a stopped one left behind', async () => {
  const half = await operator.post<Account>('/v1/accounts', { name: 'Quickstart' })
  writeFileSync(file, JSON.stringify({ account_id: half.body.id }))

  expect((await made()).account_id).not.toBe(half.body.id)
  expect((await operator.get(`/v1/accounts/${half.body.id}`)).status).toBe(404)
})

test('if another program uses the port, it says so', async () => {
  const { url } = await made()
  const other = createServer().listen(Number(new URL(url).port), '127.0.0.1')
  await using _ = {
    [Symbol.asyncDispose]: async () => await new Promise<void>(done => other.close(() => done())),
  }

  const ended = await quickstart()
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('uses the port') })
})

test('with a PostgreSQL server, it creates nothing without --yes', async () => {
  const before = (await operator.get<Page<Account>>('/v1/accounts')).body
  const withServer = { ...env, DATABASE_URL: 'postgres://posthorn@127.0.0.1:1/posthorn' }

  const ended = await posthorn(['quickstart'], { env: withServer })

  expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('add --yes') })
  expect((await operator.get('/v1/accounts')).body).toEqual(before)
  const told = await posthorn(['quickstart', '--yes'], { env: withServer })
  expect(told).toMatchObject({ code: 0, stderr: '' })
})

test('an invalid setting is reported in one line', async () => {
  const ended = await posthorn(['quickstart'], { env: { ...env, DATABASE_URL: 'nowhere' } })
  expect(ended).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^posthorn: DATABASE_URL.+\n$/),
  })
})

test('rejects a service on another machine', async () => {
  const ended = await quickstart('--url', 'https://posthorn.example.com')
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('run quickstart there') })
})

test('if there is no service, it says how to start one', async () => {
  const free = createServer().listen(0, '127.0.0.1')
  await until('a port is found', () => free.listening)
  const address = free.address()
  await new Promise<void>(done => free.close(() => done()))
  const port = typeof address === 'object' ? address?.port : 0

  const ended = await quickstart('--url', `http://127.0.0.1:${port}`)
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('posthorn start') })
})

async function quickstart(...options: string[]): Promise<Ended> {
  return await posthorn(['quickstart', ...options], { env })
}

async function made(): Promise<Made> {
  const { code, stdout, stderr } = await quickstart('--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Made
}

async function deliveriesOf(made: Pick<Made, 'api_key' | 'webhook_id'>): Promise<Page<Delivery>> {
  const api = connectApi(env['POSTHORN_URL'] ?? '', made.api_key)
  return (await api.get<Page<Delivery>>(`/v1/webhooks/${made.webhook_id}/deliveries`)).body
}

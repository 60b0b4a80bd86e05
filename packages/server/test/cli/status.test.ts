import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Check } from '../../src/cli/check.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import {
  type Installation,
  newInstallation,
  type ServiceProcess,
  startService,
} from '../support/service-process.ts'
import {
  type DatabasePlace,
  newDatabasePlace,
  newestServer,
  withoutTemplate,
} from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { type Ended, posthorn } from './posthorn-process.ts'

let place: DatabasePlace
let installation: Installation
let service: ServiceProcess
let dns: DnsServer
let dataDir: string

beforeAll(async () => {
  place = await newDatabasePlace(newestServer())
  installation = newInstallation(place)
  service = await startService(installation)
  dns = await startDnsServer()
  dns.addresses('example.com', '192.0.2.1')
  dns.addresses('posthorn.example.org', '192.0.2.7')
  dataDir = mkdtempSync(join(tmpdir(), 'posthorn-doctor-'))
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await dns[Symbol.asyncDispose]()
  await place[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true })
})

describe('status', () => {
  test('says in ten lines that everything is healthy', async () => {
    const ended = await run(['status'])

    expect(ended).toMatchObject({ code: 0, stderr: '' })
    const lines = ended.stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(10)
    expect(lines.at(-1)).toBe('Everything is healthy.')
    expect(lines.slice(0, -1).map(line => line.split(/ {2,}/)[0])).toEqual(
      Array.from({ length: 9 }, () => 'ok'),
    )
    expect(lines[2]).toMatch(/Database +PostgreSQL 18\S*, \d+ MB, schema \d+, answers in \d+ ms/)
    expect(JSON.parse((await run(['status', '--json'])).stdout)).toMatchObject({
      ok: true,
      checks: { length: 9 },
    })
  })

  test('names a failing endpoint, and still exits with 0', async () => {
    const customer = await newCustomer(service.url, service.operator)
    await using receiver = await startReceiver(() => 500)
    const { id } = await customer.newWebhook({ url: receiver.url() })
    await customer.report(1)
    await until('it fails', async () => (await customer.deliveries(id, '&state=failed')).length === 1)

    await until('status says so', async () => {
      const { code, stdout } = await run(['status'])
      return (
        code === 0 &&
        /^note +Endpoints +1 failing, 0 disabled\. Longest: wh_/m.test(stdout) &&
        stdout.includes(`run npx posthorn deliveries tail ${id}`) &&
        stdout.endsWith('Posthorn works. See the notes: endpoints.\n')
      )
    })
    await customer.api.delete(`/v1/webhooks/${id}`)
  })

  test('says that mail waits for the mail server, as doctor does', async () => {
    await using other = await newDatabasePlace(newestServer())
    const sending = { ...installation, place: other }
    await using sender = await startService(sending, { POSTHORN_SMTP_URL: 'smtp://127.0.0.1:9' })
    const customer = await newCustomer(sender.url, sender.operator)
    const email = { from: 'shop@shop.example', to: ['ann@one.example'], subject: 'Hi', text: 'Hi' }
    expect((await customer.api.post('/v1/emails', email)).status).toBe(202)

    const said =
      /^note +Mail +The mail server has not taken the email to 1 recipient, the oldest for \d+ m?s\. Its last reply: “.+”/m
    await until('status says so', async () => said.test((await run(['status', '--url', sender.url])).stdout))
    expect((await run(['doctor', '--url', sender.url])).stdout).toMatch(said)
  })

  test('exits with 1 if the service cannot work or is not running', async () => {
    await using other = await newDatabasePlace(newestServer())
    await using apiOnly = await startService({ ...installation, place: other }, { POSTHORN_ROLE: 'api' })
    const unable = await run(['status', '--url', apiOnly.url])
    expect(unable).toMatchObject({ code: 1, stderr: '' })
    expect(unable.stdout).toMatch(/^broken +Processes +1 \(api\).+No process sends events/m)
    expect(unable.stdout).toContain('Needs attention: processes.')

    const absent = await run(['status', '--url', 'http://127.0.0.1:9'])
    expect(absent).toMatchObject({ code: 1, stderr: expect.stringContaining('npx posthorn start') })
  })
})

describe('doctor', () => {
  test('finds nothing broken in a working installation, line by line', async () => {
    const ended = await run(['doctor'])

    expect(ended, ended.stdout).toMatchObject({ code: 0, stderr: '' })
    expect(namesOf(ended)).toEqual({
      Settings: 'ok',
      Versions: 'ok',
      Disk: 'ok',
      Database: 'ok',
      Clock: 'ok',
      Service: 'ok',
      DNS: 'ok',
      'Public URL': 'ok',
    })
    expect(ended.stdout).toContain('Nothing is broken.')
  })

  test.each<[name: string, env: () => Record<string, string>, says: RegExp]>([
    ['Settings', () => ({ POSTHORN_PORT: 'x' }), /POSTHORN_PORT must be .+Correct it/],
    [
      'Database',
      () => ({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/x' }),
      /ECONNREFUSED.+Check that the server in DATABASE_URL/,
    ],
    ['DNS', () => ({ POSTHORN_DNS_SERVERS: '127.0.0.1:9' }), /127\.0\.0\.1:9 does not answer.+resolv\.conf/],
    [
      'DNS',
      () => ({ POSTHORN_PUBLIC_URL: 'https://nowhere.example.org' }),
      /has no address for nowhere\.example\.org\. Publish an A or AAAA record/,
    ],
    ['Public URL', () => ({ POSTHORN_PUBLIC_URL: 'http://127.0.0.1:9' }), /cannot be reached.+tls-proxy/],
    ['Service', () => ({ POSTHORN_ADMIN_TOKEN: 'wrong'.repeat(8) }), /does not accept POSTHORN_ADMIN_TOKEN/],
  ])('says what is wrong with: %s', async (name, env, says) => {
    const ended = await run(['doctor'], env())

    expect(ended.code, ended.stdout).toBe(1)
    expect(namesOf(ended)[name]).toBe('broken')
    expect(ended.stdout.split('\n').find(line => line.startsWith('broken') && line.includes(name))).toMatch(
      says,
    )
    expect(ended.stdout).toContain('Needs attention: ')
  })

  test('shows minor findings as notes, and exits with 0', async () => {
    const open = mkdtempSync(join(tmpdir(), 'posthorn-open-'))
    chmodSync(open, 0o755)
    const env = {
      POSTHORN_DATA_DIR: open,
      POSTHORN_URL: 'http://127.0.0.1:9',
      POSTHORN_DNS_SERVERS: dns.address,
    }

    const ended = await posthorn(['doctor'], { env })

    expect(ended, ended.stdout).toMatchObject({ code: 0, stderr: '' })
    expect(namesOf(ended)).toMatchObject({
      Disk: 'note',
      Service: 'note',
      'Public URL': 'note',
      Database: 'ok',
    })
    expect(ended.stdout).toContain(`Run chmod 700 ${open}`)
    rmSync(open, { recursive: true })
  })

  test('notes that a database has not been migrated, and names the command for it', async () => {
    await using empty = await newDatabasePlace(withoutTemplate(newestServer()))

    const ended = await run(['doctor', '--json'], { DATABASE_URL: empty.databaseUrl ?? '' })

    const { checks } = JSON.parse(ended.stdout) as { checks: Check[] }
    expect(checks.find(check => check.name === 'Database')).toMatchObject({
      state: 'note',
      advice: expect.stringContaining('npx posthorn migrate'),
    })
  })
})

function namesOf({ stdout }: Ended): Record<string, string> {
  const rows = stdout.split('\n').map(line => line.split(/ {2,}/))
  return Object.fromEntries(rows.flatMap(([state = '', name]) => (name === undefined ? [] : [[name, state]])))
}

function environment(): Record<string, string> {
  return {
    POSTHORN_URL: service.url,
    POSTHORN_PUBLIC_URL: service.url,
    POSTHORN_DATA_DIR: dataDir,
    POSTHORN_DNS_SERVERS: dns.address,
    POSTHORN_ADMIN_TOKEN: installation.adminToken,
    POSTHORN_MASTER_KEYS: `doctor:${randomBytes(32).toString('base64')}`,
    DATABASE_URL: place.databaseUrl ?? '',
  }
}

async function run(args: string[], more: Record<string, string> = {}): Promise<Ended> {
  return await posthorn(args, { env: { ...environment(), ...more } })
}

import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { copyEmbeddedDatabase } from '../support/embedded-template.ts'
import { openPlace } from '../support/open-place.ts'
import { until } from '../support/until.ts'
import { nodesOfThisMachine, posthorn, spawnPosthorn } from './posthorn-process.ts'

let dataDir: string
let env: Record<string, string>

beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'posthorn-start-')), 'data')
  env = { POSTHORN_DATA_DIR: dataDir, POSTHORN_PORT: '0' }
})
afterEach(() => rmSync(join(dataDir, '..'), { recursive: true }))

/** Copies a database, because creating one takes seconds and few of these tests are about that. */
const makeDatabaseBefore = async (): Promise<void> => await copyEmbeddedDatabase(dataDir, 'schema')

describe.each(nodesOfThisMachine())('on Node $version', ({ path: node }) => {
  test('SIGTERM drains the service, and the exit code is 0', async () => {
    await makeDatabaseBefore()
    await using service = spawnPosthorn(['start'], { env, node })
    const url = await service.url()
    expect((await fetch(`${url}/healthz`)).status).toBe(200)

    expect(await service.end('SIGTERM')).toBe(0)
    expect(service.stdout()).toContain('draining')
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  })
})

test('a request in flight at shutdown is answered, and its connection does not delay the exit', async () => {
  await makeDatabaseBefore()
  await using service = spawnPosthorn(['start'], { env })
  const url = await service.url()
  const token = readFileSync(join(dataDir, 'admin-token'), 'utf8').trim()
  const asking = request(`${url}/v1/accounts`, {
    method: 'POST',
    agent: new Agent({ keepAlive: true }),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', expect: '100-continue' },
  })
  asking.flushHeaders()
  await once(asking, 'continue')

  const ended = service.end('SIGTERM')
  await until('it drains', () => service.stdout().includes('draining'))
  asking.end('{"name": "Asked before the end"}')
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  expect([answer.statusCode, answer.headers.connection]).toEqual([201, 'close'])
  answer.resume()
  expect(await ended).toBe(0)
})

test('a repeated Ctrl-C still ends with exit code 0', async () => {
  await makeDatabaseBefore()
  await using service = spawnPosthorn(['start'], { env })
  await service.url()

  for (let i = 0; i < 3; i++) service.child.kill('SIGINT')
  expect(await service.end('SIGINT')).toBe(0)
})

test('a service whose launcher is killed stops and releases its data directory', async () => {
  await makeDatabaseBefore()
  await using service = spawnPosthorn(['start'], { env })
  const url = await service.url()

  service.child.kill('SIGKILL')
  await until('the service is gone', async () => await fetch(`${url}/healthz`).then(ignore, () => true))

  await using next = spawnPosthorn(['start'], { env })
  expect(await next.url()).toMatch(/^http:/)
})

test('the first start prints the next steps and no secret', async () => {
  await using first = spawnPosthorn(['start'], { env })
  const url = await first.url()
  await until('the first steps are printed', () => first.stderr().includes('npx posthorn quickstart'))
  expect(await first.end('SIGTERM')).toBe(0)

  const token = readFileSync(join(dataDir, 'admin-token'), 'utf8').trim()
  const masterKey = readFileSync(join(dataDir, 'master-keys'), 'utf8').trim()
  expect(first.stderr()).toContain(join(dataDir, 'admin-token'))
  const command = `POSTHORN_URL=${url} POSTHORN_DATA_DIR=${dataDir} npx posthorn quickstart`
  expect(first.stderr().trimEnd().split('\n').at(-1)?.trim()).toBe(command)
  expect(first.stdout() + first.stderr()).not.toContain(token)
  expect(first.stdout() + first.stderr()).not.toContain(masterKey)
  for (const line of first.stdout().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg')

  await using second = spawnPosthorn(['start'], { env })
  await second.url()
  expect(await second.end('SIGTERM')).toBe(0)
  expect(second.stderr()).toBe('')
})

test('start and migrate are rejected in one line if another process uses the data', async () => {
  await makeDatabaseBefore()
  await using service = spawnPosthorn(['start'], { env })
  await service.url()

  for (const command of ['start', 'migrate']) {
    const refused = await posthorn([command], { env })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^posthorn: .+ is in use by another Posthorn process.+\n$/)
  }
  expect((await fetch(`${await service.url()}/readyz`)).status).toBe(200)
})

test('a port in use and an invalid setting are named', async () => {
  await makeDatabaseBefore()
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo

  const taken = await posthorn(['start'], { env: { ...env, POSTHORN_PORT: String(port) } })
  other.close()
  expect(taken.code).toBe(1)
  expect(taken.stderr).toMatch(/^posthorn: .+EADDRINUSE.+set POSTHORN_PORT.+\n$/)

  const wrong = await posthorn(['start'], { env: { ...env, POSTHORN_ROLE: 'queen' } })
  expect(wrong).toMatchObject({ code: 1, stdout: '' })
  expect(wrong.stderr).toBe(
    'posthorn: POSTHORN_ROLE must be one of all, api, dispatcher, front, not "queen"\n',
  )
})

test('an operator token that no header can carry is rejected at start in one line', async () => {
  const token = `${'t'.repeat(20)}\u0007${'t'.repeat(20)}`
  const refused = await posthorn(['start'], { env: { ...env, POSTHORN_ADMIN_TOKEN: token } })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toBe(
    'posthorn: POSTHORN_ADMIN_TOKEN must be UTF-8 without control characters, because it is sent in a header\n',
  )
})

test('the command line accepts an operator token with non-ASCII characters', async () => {
  await makeDatabaseBefore()
  const token = 'Schlüssel € für den Betrieb, lang genug'
  await using service = spawnPosthorn(['start'], { env: { ...env, POSTHORN_ADMIN_TOKEN: token } })
  const url = await service.url()
  const listed = await posthorn(['accounts', 'list', '--url', url], { env: { POSTHORN_ADMIN_TOKEN: token } })
  expect(listed).toMatchObject({ code: 0, stderr: '' })
})

test('an invalid host and a data directory that cannot be created are reported with their settings', async () => {
  await makeDatabaseBefore()
  const host = await posthorn(['start'], { env: { ...env, POSTHORN_HOST: 'no such host' } })
  expect(host.code).toBe(1)
  expect(host.stderr).toMatch(/^posthorn: .+no such host.*\. Set POSTHORN_HOST .+\n$/)
  const file = fileURLToPath(import.meta.url)
  const directory = await posthorn(['start'], { env: { ...env, POSTHORN_DATA_DIR: join(file, 'data') } })
  expect(directory.code).toBe(1)
  expect(directory.stderr).toMatch(
    /^posthorn: ENOTDIR.+\. Set POSTHORN_DATA_DIR to a directory that Posthorn can create\n$/,
  )
})

test('the chosen port is printed, even if the log level hides it', async () => {
  await makeDatabaseBefore()
  await using service = spawnPosthorn(['start'], { env: { ...env, POSTHORN_LOG_LEVEL: 'warn' } })
  const line = await until('it says where it listens', () => /^.+\n/.exec(service.stdout())?.[0])
  const [, url = ''] = /^Posthorn listens on (http:\/\/127\.0\.0\.1:[1-9]\d*)\n$/.exec(line) ?? []
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect(service.stdout()).toBe(line)
})

test('migrate prints the migrations it applied, and none the second time', async () => {
  await copyEmbeddedDatabase(dataDir, 'nothing')
  const first = await posthorn(['migrate'], { env })
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(first.stdout).toMatch(/^Applied 0001-schema\.sql\n/)
  expect(existsSync(join(dataDir, 'database'))).toBe(true)

  const second = await posthorn(['migrate', '--json'], { env })
  expect(JSON.parse(second.stdout)).toMatchObject({ applied: [] })
})

test('a database with another schema is rejected in one line with advice, and left unchanged', async () => {
  await makeDatabaseBefore()
  const place = { databaseUrl: null, dataDir }
  {
    await using db = await openPlace(place)
    await db.query(`update schema_migration set name = '0001-core.sql'`)
  }
  for (const command of ['start', 'migrate']) {
    const refused = await posthorn([command], { env })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(
      /^posthorn: .+ made by 0001-core\.sql and cannot .+ in POSTHORN_DATA_DIR\n$/,
    )
  }
  await using db = await openPlace(place)
  expect(await db.query('select name from schema_migration')).toEqual([{ name: '0001-core.sql' }])
})

test('migrate reports an unreachable database, without its password', async () => {
  const ended = await posthorn(['migrate'], {
    env: { ...env, DATABASE_URL: 'postgres://posthorn:hunter2@127.0.0.1:9/posthorn' },
  })

  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toMatch(
    /^posthorn: the database is unavailable: .+ Check that the server in DATABASE_URL .+\n$/,
  )
  expect(ended.stderr).not.toContain('hunter2')
})

function ignore(): false {
  return false
}

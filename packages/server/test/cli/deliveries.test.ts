import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Delivery, Webhook } from '@posthorn/contract'
import { createVerifier } from '@posthorn/receiver'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, newCustomer } from '../support/api.ts'
import { childrenOf } from '../support/children-of.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { type DatabasePlace, embedded, newDatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { posthorn, type Running, spawnPosthorn } from './posthorn-process.ts'

let place: DatabasePlace
let service: ServiceProcess
let folder: string

beforeAll(async () => {
  place = await newDatabasePlace(embedded)
  service = await startService(newInstallation(place), { POSTHORN_RETRY_BASE_SECONDS: '86400' })
  folder = mkdtempSync(join(tmpdir(), 'posthorn-listen-'))
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await place[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

describe('listen', () => {
  test('forwards events signed with the secret it shows, and leaves no endpoint behind', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const state = join(folder, 'forwards.json')
    await using receiver = await startReceiver(({ eventId }) => (eventId === forgedId ? 401 : 204))

    await using running = start(['listen', receiver.url(), '--state', state], customer)
    const secret = await until('the secret is shown', () => /whsec_\w{44}/.exec(running.stdout())?.[0])
    await until('the forged request was sent', () => running.stdout().includes('rejected a forged request'))
    const [one] = await customer.report(1)
    await until('the first event has arrived', () => genuine(receiver.received).length === 1)
    await until('it says so', () => running.stdout().includes('204 in'))

    const [{ body, signature, eventId } = raise()] = genuine(receiver.received)
    expect(eventId).toBe(one)
    const verifier = createVerifier({ secrets: secret })
    expect(await verifier.constructEvent(body, signature)).toMatchObject({ id: eventId })
    expect(statSync(state).mode & 0o777).toBe(0o600)
    expect(readFileSync(state, 'utf8')).not.toContain(customer.apiKey)
    expect(await endpointsOf(customer)).toHaveLength(1)
    expect(await running.end('SIGINT')).toBe(0)
    expect(running.stderr()).toBe('')
    expect(await endpointsOf(customer)).toEqual([])
  })

  test('resumes where a killed session stopped, with the same secret, and removes the endpoints left behind', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const state = join(folder, 'resumes.json')
    await using receiver = await startReceiver()
    const args = ['listen', receiver.url(), '--state', state, '--no-check']
    const killed = [start(args, customer), start(args, customer)]
    for (const one of killed) await until('it listens', () => one.stdout().includes('Press Ctrl-C to stop'))
    const [first] = await customer.report(1)
    await until('both have forwarded', () => killed.every(one => one.stdout().includes('204 in')))
    const secret = /whsec_\w{44}/.exec(killed[0]?.stdout() ?? '')?.[0]
    for (const one of killed) {
      // npm starts the working process as its child
      for (const pid of childrenOf(one.child.pid ?? 0)) process.kill(pid, 'SIGKILL')
      await until('it has ended', () => one.child.exitCode)
    }
    expect(await endpointsOf(customer)).toHaveLength(2)

    const [second, third] = await customer.report(2)
    await using again = start(args, customer)
    await until('the others have arrived', () => again.stdout().split('204 in').length === 3)

    const arrived = receiver.received.map(({ eventId }) => eventId)
    expect(arrived).toEqual([first, first, second, third])
    expect(again.stdout()).toContain(secret)
    expect(await again.end('SIGTERM')).toBe(0)
    expect(await endpointsOf(customer)).toEqual([])
  })

  test('starts after the given sequence number, at an endpoint that has its own receiver', async () => {
    const customer = await newCustomer(service.url, service.operator)
    await using own = await startReceiver()
    await using receiver = await startReceiver()
    const { id } = await customer.newWebhook({ url: own.url() })
    const events = await customer.report(3)
    await own.waitForEvents(3)

    const place = ['--endpoint', id, '--after-sequence', '1', '--state', join(folder, 'given.json')]
    await using running = start(['listen', receiver.url(), '--no-check', '--json', ...place], customer)
    await until('two lines are printed', () => lines(running).length === 2)

    expect(receiver.received.map(({ eventId }) => eventId)).toEqual(events.slice(1))
    expect(lines(running).map(line => JSON.parse(line))).toMatchObject([
      { sequence: 2, status: 204 },
      { sequence: 3, status: 204 },
    ])
  })

  test('warns about a receiver that accepts a forged request, and waits for one that does not answer', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const credulous = await startReceiver()
    const target = credulous.url()
    await using running = start(['listen', target, '--state', join(folder, 'warns.json')], customer)
    await until('it warns', () => running.stdout().includes('accepted a forged request'))

    await credulous[Symbol.asyncDispose]()
    await customer.report(1)
    await until('it waits', () => running.stdout().includes(`${target} does not answer`))
    expect(await running.end('SIGTERM')).toBe(0)
  })
})

test('listen and deliveries tail continue after the service has restarted', async () => {
  await using place = await newDatabasePlace(embedded)
  const installation = newInstallation(place)
  const before = await startService(installation)
  const customer = await newCustomer(before.url, before.operator)
  await using receiver = await startReceiver()
  const { id } = await customer.newWebhook({ url: receiver.url(), enabled: false })
  const args = [
    '--endpoint',
    id,
    '--after-sequence',
    '0',
    '--no-check',
    '--state',
    join(folder, 'restarts.json'),
  ]
  const env = { ...envOf(customer), POSTHORN_URL: before.url }
  await using listening = spawnPosthorn(['listen', receiver.url(), ...args], { env })
  await using tail = spawnPosthorn(['deliveries', 'tail', id, '--after-sequence', '0', '--json'], { env })
  await customer.report(1)
  await until('both have the first', () => receiver.received.length === 1 && lines(tail).length === 1)

  expect(await before.stop()).toBe(0)
  for (const waiting of [listening, tail])
    await until('it waits', () => waiting.stderr().includes('Waiting for the service: no service answers at'))
  await using _after = await startService(installation, { POSTHORN_PORT: new URL(before.url).port })
  await customer.report(2)

  await until('both have the others', () => receiver.received.length === 3 && lines(tail).length === 3)
  expect(receiver.received.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
  expect(await listening.end('SIGTERM')).toBe(0)
})

describe('control characters from outside never reach the terminal', () => {
  const unwanted = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

  test.each([{ more: [] }, { more: ['--json'] }])(
    'a receiver’s response that listen $more shows',
    async ({ more }) => {
      const customer = await newCustomer(service.url, service.operator)
      const receiver = createServer((request, response) => {
        request.resume().on('end', () => response.setHeader('X-Service-Verified', 'v1\u009b2J\u0085').end())
      }).listen(0, '127.0.0.1')
      await once(receiver, 'listening')
      const { port } = receiver.address() as AddressInfo
      const { id } = await customer.newWebhook({ url: 'http://127.0.0.1:9/', enabled: false })
      const state = ['--state', join(folder, `steers-${more.length}.json`)]
      const args = ['listen', String(port), '--no-check', '--endpoint', id, '--after-sequence', '0', ...state]
      await customer.report(1)
      await using running = start([...args, ...more], customer)
      await until('it shows the answer', () => running.stdout().includes('v1\\u009b2J\\u0085'))
      expect(running.stdout()).not.toMatch(unwanted)
      receiver.close()
    },
  )

  test('service responses in tables, JSON and errors', async () => {
    const account = {
      ...(await newCustomer(service.url, service.operator)),
      name: '\u202egro.elpmaxe\u2029 \u009b\u001b[31m\nnext',
    }
    const { body } = await service.operator.get<{ data: object[] }>('/v1/accounts?limit=1')
    const page = { ...body, data: body.data.map(one => ({ ...one, name: account.name })), next_cursor: null }
    const hostile = createServer((request, response) => {
      const isList = request.url?.startsWith('/v1/accounts') === true && request.method === 'GET'
      const problem = {
        type: 'about:blank',
        title: account.name,
        status: 422,
        code: 'validation_failed',
        detail: account.name,
        request_id: account.name,
      }
      response.statusCode = isList ? 200 : 422
      response.setHeader('content-type', 'application/json').end(JSON.stringify(isList ? page : problem))
    }).listen(0, '127.0.0.1')
    await once(hostile, 'listening')
    const env = {
      POSTHORN_URL: `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`,
      POSTHORN_ADMIN_TOKEN: 'a'.repeat(32),
    }
    for (const args of [
      ['accounts', 'list'],
      ['accounts', 'list', '--json'],
      ['accounts', 'create', '--name', 'x'],
    ]) {
      const ended = await posthorn(args, { env })
      expect(ended.stdout + ended.stderr).toContain('\\u202egro.elpmaxe\\u2029 \\u009b\\u001b[31m')
      expect(ended.stdout + ended.stderr).not.toMatch(unwanted)
      if (args.includes('--json')) expect(JSON.parse(ended.stdout)).toMatchObject([{ name: account.name }])
    }
    hostile.close()
  })
})

describe('trigger', () => {
  test('says that the sample event was delivered', async () => {
    const customer = await newCustomer(service.url, service.operator)
    await using receiver = await startReceiver()
    const { id } = await customer.newWebhook({ url: receiver.url() })

    const ended = await run(['trigger', id, 'email.bounced'], customer)

    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toMatch(/Delivered in \d+ ms: the endpoint answered 204/)
    const event = JSON.parse(String(receiver.received[0]?.body))
    expect(event).toMatchObject({
      type: 'email.bounced',
      data: { email_id: expect.stringMatching(/^em_test/) },
    })
  })

  test('exits with 1 and the reason if it was not delivered', async () => {
    const customer = await newCustomer(service.url, service.operator)
    await using receiver = await startReceiver(() => 500)
    const { id } = await customer.newWebhook({ url: receiver.url() })

    const ended = await run(['trigger', id, 'email.delivered'], customer)
    expect(ended).toMatchObject({ code: 1, stderr: '' })
    expect(ended.stdout).toContain('500')
    const unknown = await run(['trigger', id, 'email.opened'], customer)
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('email.unsubscribed') })
  })
})

test('deliveries tail shows the last deliveries and each new one, with --json as one line of JSON', async () => {
  const customer = await newCustomer(service.url, service.operator)
  const { id } = await customer.newWebhook({ url: 'http://127.0.0.1:9/', enabled: false })
  const [, , third] = await customer.report(3)

  await using people = start(['deliveries', 'tail', id, '--last', '1'], customer)
  await using program = start(['deliveries', 'tail', id, '--after-sequence', '2', '--json'], customer)
  await until('the third is shown', () => lines(people).length === 1 && lines(program).length === 1)
  const [fourth] = await customer.report(1)
  await until('the fourth is shown', () => lines(people).length === 2 && lines(program).length === 2)

  expect(lines(people)[0]).toMatch(/#3 .+email\.delivered .+pending/)
  expect(lines(program).map(line => (JSON.parse(line) as Delivery).event_id)).toEqual([third, fourth])
  expect(await program.end('SIGINT')).toBe(0)
})

function raise(): never {
  throw new Error('nothing has arrived')
}

async function endpointsOf({ api }: Customer): Promise<Webhook[]> {
  return (await api.get<{ data: Webhook[] }>('/v1/webhooks')).body.data
}

const forgedId = 'evt_00000000000000000000000000'

function genuine(received: readonly Received[]): Received[] {
  return received.filter(({ eventId }) => eventId !== forgedId)
}

function start(args: readonly string[], customer: Customer): Running {
  return spawnPosthorn(args, { env: envOf(customer) })
}

async function run(args: readonly string[], customer: Customer) {
  return await posthorn(args, { env: envOf(customer) })
}

function envOf(customer: Customer): Record<string, string> {
  return { HOME: folder, POSTHORN_URL: service.url, POSTHORN_API_KEY: customer.apiKey }
}

function lines(running: Running): string[] {
  return running.stdout().split('\n').filter(Boolean)
}

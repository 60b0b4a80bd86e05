import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { System } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { customerAt, expectStatus, newCustomer } from '../support/api.ts'
import { childrenOf } from '../support/children-of.ts'
import { startReceiver } from '../support/receiver.ts'
import {
  newInstallation,
  type ServiceProcess,
  spawnService,
  startService,
} from '../support/service-process.ts'
import { embedded, newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'

const two = { POSTHORN_PROCESSES: '2' }

test('two processes share a port and the work, and each reports the counters of both', async () => {
  await using place = await newDatabasePlace(newestServer())
  await using receiver = await startReceiver()
  await using service = await startService(newInstallation(place), two)
  await bothReady(service)
  const customer = await newCustomer(service.url, service.operator)
  await customer.newWebhook({ url: receiver.url() })

  for (let n = 0; n < 40; n++) await reportOnNewConnection(service.url, customer.apiKey, n)
  await receiver.waitForEvents(40)
  expect([...receiver.counts().values()].every(times => times === 1)).toBe(true)
  const system = expectStatus(200, await service.operator.get<System>('/v1/system'))
  expect(system.processes).toHaveLength(2)
  for (let n = 0; n < 4; n++) {
    const text = await onNewConnection(`${service.url}/metrics`)
    expect(text).toContain('posthorn_events_accepted_total 40\n')
    expect(text.match(/^posthorn_deliveries_in_queue \d+$/gm)).toHaveLength(1)
  }
  expect(await service.stop()).toBe(0)
})

test('a killed process is replaced, and the others continue', async () => {
  await using place = await newDatabasePlace(newestServer())
  await using receiver = await startReceiver()
  await using service = await startService(newInstallation(place), two)
  await bothReady(service)
  const customer = await newCustomer(service.url, service.operator)
  await customer.newWebhook({ url: receiver.url() })
  const [killed = 0] = membersOf(service)
  await customer.report(5)
  await receiver.waitForEvents(5)
  expect(await onNewConnection(`${service.url}/metrics`)).toContain('posthorn_events_accepted_total 5\n')

  process.kill(killed, 'SIGKILL')
  await until('it says so', () => service.output().includes('another takes its place'))
  await customer.report(10)
  await receiver.waitForEvents(15)
  await until('another listens', () => service.output().match(/Posthorn listens/g)?.length === 3)
  const members = membersOf(service)
  expect(members).toHaveLength(2)
  expect(members).not.toContain(killed)
  expect(await onNewConnection(`${service.url}/metrics`)).toContain('posthorn_events_accepted_total 15\n')

  expect(await service.stop()).toBe(0)
  for (const pid of members) expect(lives(pid)).toBe(false)
})

test('if the parent process is killed, the others finish attempts in flight and exit', async () => {
  await using place = await newDatabasePlace(newestServer())
  const answers: Array<() => void> = []
  await using receiver = await startReceiver((_, response) => {
    answers.push(() => response.writeHead(204).end())
    return undefined
  })
  const installation = newInstallation(place)
  await using service = await startService(installation, two)
  await bothReady(service)
  const customer = await newCustomer(service.url, service.operator)
  const webhook = await customer.newWebhook({ url: receiver.url() })
  await customer.report(1)
  await until('the attempt is under way', () => answers.length === 1)
  const members = membersOf(service)

  await service.kill()
  await until('both drain', () => service.output().match(/draining/g)?.length === 2)
  for (const answer of answers) answer()
  await until('both are gone', () => !members.some(lives))
  await using again = await startService(installation)
  const later = customerAt(again.url, customer.accountId, customer.apiKey)
  expect(await later.deliveries(webhook.id)).toMatchObject([{ state: 'delivered', attempt_count: 1 }])
})

test('an error that prevents the start is reported once and ends all processes', async () => {
  await using place = await newDatabasePlace(newestServer())
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const child = spawnService(newInstallation(place), { ...two, POSTHORN_PORT: String(port) })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))

  const [code] = (await once(child, 'close')) as [number]
  other.close()
  expect(code).toBe(1)
  expect(said).toMatch(/^posthorn: .+EADDRINUSE.+set POSTHORN_PORT.+\n$/)
})

test('the embedded database rejects more than one process', async () => {
  await using place = await newDatabasePlace(embedded)
  const child = spawnService(newInstallation(place), two)
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))

  const [code] = (await once(child, 'close')) as [number]
  expect(code).toBe(1)
  expect(said).toBe(
    'posthorn: POSTHORN_PROCESSES=2 needs DATABASE_URL: only one process can use the embedded database\n',
  )
})

async function bothReady(service: ServiceProcess): Promise<void> {
  await until('both are ready', () => service.output().includes('2 processes share the work'))
}

function membersOf({ pid }: ServiceProcess): number[] {
  return childrenOf(pid)
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Uses a new connection, which the next process gets. */
async function onNewConnection(
  url: string,
  { apiKey, body }: { apiKey?: string; body?: string } = {},
): Promise<string> {
  const answer = await fetch(url, {
    headers: {
      connection: 'close',
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { method: 'POST', body }),
  })
  expect(answer.ok).toBe(true)
  return await answer.text()
}

async function reportOnNewConnection(url: string, apiKey: string, n: number): Promise<void> {
  const outcome = { type: 'email.delivered', data: { email_id: `em_${n}`, to: [`reader${n}@example.org`] } }
  await onNewConnection(`${url}/v1/outcomes`, { apiKey, body: JSON.stringify([outcome]) })
}

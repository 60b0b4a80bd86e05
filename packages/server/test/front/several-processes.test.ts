import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcome } from '../shards/report-at.ts'
import { allEvents, type Customer } from '../support/api.ts'
import { childrenOf } from '../support/children-of.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'
import { openShards, type TestInstallation } from '../support/shards.ts'
import { until } from '../support/until.ts'

let installation: TestInstallation
let customers: Customer[]
let front: ServiceProcess

beforeAll(async () => {
  installation = await openShards(2)
  customers = [await installation.customerOn(0), await installation.customerOn(1)]
  const [first = expect.unreachable()] = installation.shards
  front = await startProcess(
    { ...installation, place: { ...first.place, databaseUrl: null } },
    { ...installation.frontSettings, POSTHORN_PROCESSES: '2', POSTHORN_LOG_LEVEL: 'info' },
  )
  await until('both processes are ready', () => front.output().includes('2 processes share the work'))
})

afterAll(async () => {
  await front[Symbol.asyncDispose]()
  await installation[Symbol.asyncDispose]()
})

/** Uses a new connection, which the next process gets. */
async function onNewConnection(
  path: string,
  { headers, ...init }: { headers?: Record<string, string>; method?: string; body?: string } = {},
): Promise<Response> {
  return await fetch(front.url + path, { ...init, headers: { ...headers, connection: 'close' } })
}

/** A report of the operator for both shards. Resolves with its status. */
async function report(id: string): Promise<number> {
  const items = customers.map(({ accountId }) => outcome(accountId, id))
  const answer = await onNewConnection('/v1/outcomes', {
    method: 'POST',
    headers: { authorization: `Bearer ${installation.adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(items),
  })
  return answer.status
}

async function expectStored(count: number): Promise<void> {
  for (const { api } of customers) expect(await allEvents(api)).toHaveLength(count)
}

const membersOf = (): number[] => childrenOf(front.pid)

test('each process of a front serves all shards and reports the metrics of all', async () => {
  for (let n = 0; n < 10; n++) {
    expect(await report(`shared-${n}`)).toBe(202)
    expect((await onNewConnection('/readyz')).status).toBe(200)
    const metrics = await (await onNewConnection('/metrics')).text()
    expect(metrics.match(/^posthorn_shard_up\{shard="\d"\} 1$/gm)).toHaveLength(2)
    expect(metrics).toContain(`posthorn_events_accepted_total{shard="1"} ${n + 1}\n`)
  }
  await expectStored(10)
})

test('a killed process of a front is replaced, and the other one continues', async () => {
  const [killed = 0] = membersOf()
  process.kill(killed, 'SIGKILL')
  await until('the front says so', () => front.output().includes('another takes its place'))
  expect(await report('meanwhile')).toBe(202)
  await until('another process listens', () => front.output().match(/Posthorn listens/g)?.length === 3)
  expect(membersOf()).toHaveLength(2)
  expect(membersOf()).not.toContain(killed)
  for (let n = 0; n < 4; n++) expect(await report(`replaced-${n}`)).toBe(202)
})

test('a stop stores exactly the reports that it answers, and all processes end', async () => {
  const [customer = expect.unreachable()] = customers
  const before = (await allEvents(customer.api)).length
  const members = membersOf()
  let accepted = 0
  const reportUntilRefused = async (reporter: number): Promise<unknown> => {
    try {
      for (let n = 0; ; n++) {
        expect(await report(`late-${reporter}-${n}`)).toBe(202)
        accepted++
      }
    } catch (error) {
      return error
    }
  }
  const reporters = Array.from({ length: 4 }, async (_, reporter) => await reportUntilRefused(reporter))
  await until('reports are under way', () => accepted > 20)
  expect(await front.stop()).toBe(0)
  for (const error of await Promise.all(reporters)) {
    // a connection that no process has accepted yet is reset, or closed without an answer
    const code = expect.stringMatching(/^(ECONNREFUSED|ECONNRESET|UND_ERR_SOCKET)$/)
    expect(error).toMatchObject({ cause: { code } })
  }
  await expectStored(before + accepted)
  for (const pid of members) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

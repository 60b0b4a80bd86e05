import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allEvents, type Api, connectApi, type Customer, newCustomer } from '../support/api.ts'
import { freePort } from '../support/free-port.ts'
import { newInstallation, type ServiceProcess, startProcess } from '../support/service-process.ts'
import { startShards } from '../support/shard-processes.ts'
import { type DatabasePlace, newDatabasePlace, newestServer } from '../support/test-database.ts'
import { shardKeys } from '../support/through-front.ts'
import { until } from '../support/until.ts'

const publicUrl = 'http://127.0.0.1:4100'
const common = { POSTHORN_SHARD_KEYS: shardKeys, POSTHORN_PUBLIC_URL: publicUrl }

let opened: AsyncDisposableStack
let shards: ServiceProcess[]
/** Starts shard 1 again on its port. */
let restartShard1: () => Promise<ServiceProcess>
let openFront: () => Promise<ServiceProcess>
let adminToken: string

beforeAll(async () => {
  opened = new AsyncDisposableStack()
  const place = opened.use(await newDatabasePlace(newestServer()))
  const installation = newInstallation(place)
  adminToken = installation.adminToken
  const ports = [await freePort(), await freePort()]
  const places: DatabasePlace[] = []
  const start = async (number: number, of: typeof installation): Promise<ServiceProcess> => {
    places[number] = of.place
    return await startProcess(of, { ...common, POSTHORN_PORT: String(ports[number]) })
  }
  shards = opened.use(await startShards(2, installation, start)).shards
  restartShard1 = async () => opened.use(await start(1, { ...installation, place: places[1] ?? place }))
  const urls = shards.map(({ url }, number) => `${number}=${url}`).join(',')
  const noDatabase = { ...place, databaseUrl: null }
  openFront = async () =>
    opened.use(
      await startProcess(
        { ...installation, place: noDatabase },
        { ...common, POSTHORN_ROLE: 'front', POSTHORN_SHARDS: urls },
      ),
    )
})

afterAll(async () => await opened.disposeAsync())

/** A customer of each shard. New accounts go to the shard with the fewest. */
async function twoCustomers(front: ServiceProcess): Promise<Customer[]> {
  return [await newCustomer(front.url, front.operator), await newCustomer(front.url, front.operator)]
}

interface Reports {
  /** The events of the accepted reports. */
  readonly accepted: string[]
  /** The answers other than 202. 0 counts requests without an answer. */
  readonly refused: number[]
  stop(): Promise<void>
}

/**
 * Reports outcomes of both accounts as the operator, each report until it is accepted. Each outcome has an `outcome_id`.
 *
 * @param url read before each try
 */
function startReports(url: () => string, customers: readonly Customer[]): Reports {
  const accepted: string[] = []
  const refused: number[] = []
  let isStopped = false
  const report = async (): Promise<void> => {
    while (!isStopped) {
      const outcomes = Array.from({ length: 40 }, (_, n) => ({
        type: 'email.delivered',
        account_id: customers[n % 2]?.accountId,
        outcome_id: randomUUID(),
        data: { email_id: `em_${n}`, to: ['ann@example.org'] },
      }))
      for (;;) {
        const answer = await send(url(), outcomes)
        if (answer.status === 202) {
          accepted.push(...answer.events)
          break
        }
        refused.push(answer.status)
      }
    }
  }
  const reporters = Array.from({ length: 4 }, report)
  return {
    accepted,
    refused,
    stop: async () => {
      isStopped = true
      await Promise.all(reporters)
    },
  }
}

async function send(url: string, outcomes: object[]): Promise<{ status: number; events: string[] }> {
  try {
    const response = await fetch(`${url}/v1/outcomes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(outcomes),
    })
    const { events = [], ignored = [] } = (await response.json()) as {
      events?: string[]
      ignored?: Array<{ event_id: string }>
    }
    // a duplicate names the event that an earlier try has stored
    return { status: response.status, events: [...events, ...ignored.map(one => one.event_id)] }
  } catch {
    return { status: 0, events: [] }
  }
}

/** Compares the accepted events with those of the accounts: none is missing, and none is there twice. */
async function expectExactLedger({ accepted }: Reports, apis: readonly Api[]): Promise<void> {
  const stored = (await Promise.all(apis.map(allEvents))).flat().map(({ id }) => id)
  expect(accepted.length % 40).toBe(0)
  expect(new Set(accepted).size).toBe(accepted.length)
  expect(stored.length).toBe(accepted.length)
  expect(new Set(stored)).toEqual(new Set(accepted))
}

test('if a shard is killed, its parts of reports are stored once, and nothing acknowledged is lost', async () => {
  const front = await openFront()
  const customers = await twoCustomers(front)
  const reports = startReports(() => front.url, customers)
  for (let round = 0; round < 2; round++) {
    const before = reports.accepted.length
    await until('reports are accepted', () => reports.accepted.length >= before + 400)
    const refusedBefore = reports.refused.length
    await shards[1]?.kill()
    await until('reports are refused', () => reports.refused.length > refusedBefore)
    shards[1] = await restartShard1()
  }
  const before = reports.accepted.length
  await until('reports are accepted again', () => reports.accepted.length >= before + 400)
  await reports.stop()
  expect(new Set(reports.refused)).toEqual(new Set([503]))
  await expectExactLedger(
    reports,
    customers.map(({ api }) => api),
  )
})

test('if a front is killed, repeats through another front make no duplicates, and nothing is lost', async () => {
  const survivor = await openFront()
  const customers = await twoCustomers(survivor)
  let front = await openFront()
  const reports = startReports(() => front.url, customers)
  for (let round = 0; round < 3; round++) {
    const before = reports.accepted.length
    await until('reports are accepted', () => reports.accepted.length >= before + 400)
    const killed = front
    front = round === 2 ? survivor : await openFront()
    await killed.kill()
  }
  const before = reports.accepted.length
  await until('reports are accepted again', () => reports.accepted.length >= before + 400)
  await reports.stop()
  await expectExactLedger(
    reports,
    customers.map(({ apiKey }) => connectApi(survivor.url, apiKey)),
  )
})

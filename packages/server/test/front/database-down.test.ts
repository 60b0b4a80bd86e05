import type { OutcomesAccepted, Problem } from '@posthorn/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type DatabaseProxy, startDatabaseProxy } from '../faults/database-proxy.ts'
import { type Asked, ask, outcome } from '../shards/report-at.ts'
import { allEvents, type Customer } from '../support/api.ts'
import { openShards, type TestInstallation, type TestShard } from '../support/shards.ts'
import { until } from '../support/until.ts'

let installation: TestInstallation
let shard1: TestShard
let database: DatabaseProxy
let on0: Customer
let on1: Customer

beforeAll(async () => {
  installation = await openShards(2)
  shard1 = installation.shards[1] ?? expect.unreachable()
  on0 = await installation.customerOn(0)
  on1 = await installation.customerOn(1)
  const databaseUrl = shard1.place.databaseUrl ?? ''
  database = await startDatabaseProxy(databaseUrl)
  await shard1.stop()
  await shard1.start({ DATABASE_URL: database.url(databaseUrl) })
})

afterAll(async () => {
  await installation[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

beforeEach(async () => {
  database.back()
  await until('shard 1 is used', async () => (await get(on1)).status === 200)
})

/** Sends a request once, without the repetitions of the test client. */
async function get({ apiKey }: Customer): Promise<Response> {
  return await fetch(`${installation.url}/v1/webhooks`, { headers: { authorization: `Bearer ${apiKey}` } })
}

async function report<T = OutcomesAccepted>(
  items: unknown,
  credential = installation.adminToken,
): Promise<Asked<T>> {
  return await ask<T>({ url: installation.url, adminToken: credential }, '/v1/outcomes', items)
}

/** What an account reports by itself. */
function own(id: string): object {
  const { account_id: _, ...rest } = outcome(on1.accountId, id)
  return rest
}

const emailsOf = async ({ api }: Customer): Promise<string[]> =>
  (await allEvents(api)).map(({ data }) => data.email_id).sort()

const countTold = (): number =>
  installation.told.filter(({ message }) => String(message).startsWith('a shard is not available')).length

test('requests and reports wait while the database of a shard fails over, and each outcome is stored once', async () => {
  const before = countTold()
  database.goAway()
  const waiting = Promise.all([
    get(on1),
    report(own('by-account'), on1.apiKey),
    report(outcome(on1.accountId, 'one-shard')),
    report([on0, on1].map(({ accountId }) => outcome(accountId, 'two-shards'))),
  ])
  // by then, the shard has answered each of them with 503
  await until('the front has noticed', () => countTold() > before)
  database.back()
  expect((await waiting).map(({ status }) => status)).toEqual([200, 202, 202, 202])
  expect(await emailsOf(on1)).toEqual(['by-account', 'one-shard', 'two-shards'])
})

test('if the database stays away, the 503 says what to do, and the other accounts work', async () => {
  database.goAway()
  const [got, one, mixed] = await Promise.all([
    get(on1),
    report<Problem>(own('late'), on1.apiKey),
    report<Problem>([on0, on1].map(({ accountId }) => outcome(accountId, 'late-mixed'))),
  ])
  for (const { status, headers } of [got, one, mixed])
    expect([status, headers.get('retry-after')]).toEqual([503, '2'])
  expect(one.body.detail).toMatch(/repeat .* with the same outcome_id or Idempotency-Key/i)
  // it depends on the time whether the front must first ask the shard if the account exists
  expect(mixed.body.detail).toMatch(/^Shard 1 .* repeat the (whole report|request with the same outcome_id)/i)
  expect((await get(on0)).status).toBe(200)
})

test('a report that is not safe to repeat gets the 503 of the shard', async () => {
  const { outcome_id: _, ...without } = outcome(on1.accountId, 'unsafe')
  database.goAway()
  const { status, body } = await report<Problem>(without)
  expect([status, body.code]).toEqual([503, 'database_unavailable'])
})

import type { OutcomesAccepted, Problem } from '@posthorn/contract'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src/service.ts'
import { allEvents, type Customer } from '../support/api.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { openShards, type TestInstallation } from '../support/shards.ts'
import { until } from '../support/until.ts'
import { ask, outcome } from './report-at.ts'
import { type ShardProxy, startShardProxy } from './shard-proxy.ts'

let shards: TestInstallation
let proxy: ShardProxy
let front: Service
let receiver: Receiver
let ann: Customer
let bob: Customer

beforeAll(async () => {
  shards = await openShards(2)
  ann = await shards.customerOn(0)
  bob = await shards.customerOn(1)
  proxy = await startShardProxy(shards.shards[1]?.url ?? '')
  front = await shards.openFront({ POSTHORN_SHARDS: `0=${shards.shards[0]?.url},1=${proxy.url}` })
  receiver = await startReceiver()
})
afterAll(async () => {
  await front[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
  await shards[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})
afterEach(() => proxy.set('open'))

const report = async <T = OutcomesAccepted>(items: unknown, headers = {}) =>
  await ask<T>({ url: front.url, adminToken: shards.adminToken }, '/v1/outcomes', items, headers)

const idsOf = async ({ api }: Customer): Promise<string[]> =>
  (await allEvents(api)).map(({ data }) => data.email_id).sort()

test('a part that fails for long gives a 503 that says what to do, and the repeat completes the report', async () => {
  const items = [ann, bob, ann].map(({ accountId }, n) => outcome(accountId, `failed-${n}`))
  expect((await report(items.slice(0, 2))).body.accepted).toBe(2)
  proxy.set('no_reports')

  const failed = await report<Problem>([...items, outcome(bob.accountId, 'failed-3')])
  expect(failed).toMatchObject({
    status: 503,
    body: {
      code: 'shard_unavailable',
      detail: expect.stringMatching(
        /^Shard 1 .* other parts of this report may be stored.*Repeat the whole report/,
      ),
    },
  })
  expect(Number(failed.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await idsOf(ann)).toContain('failed-2')

  proxy.set('open')
  const repeated = await until('the shard is used again', async () => {
    const answer = await report([...items, outcome(bob.accountId, 'failed-3')])
    return answer.status === 202 && answer
  })
  expect(repeated.body.ignored.map(({ index, reason }) => [index, reason])).toEqual([
    [0, 'duplicate'],
    [1, 'duplicate'],
    [2, 'duplicate'],
  ])
  expect(await idsOf(bob)).toEqual(['failed-1', 'failed-3'])
})

test.each([
  ['outcome_id', {}],
  ['Idempotency-Key', { 'idempotency-key': 'lost-answer' }],
])('a part whose answer is lost is sent again and stored once: %s', async (name, headers) => {
  const items = [ann, bob].map(({ accountId }, n) => outcome(accountId, `lost-${name}-${n}`))
  proxy.set('mute')
  const answering = report(items, headers)
  await until('the shard has stored its part', async () => (await idsOf(bob)).includes(`lost-${name}-1`))
  proxy.set('open')

  const { status, body } = await answering
  expect(status).toBe(202)
  expect(await idsOf(bob)).toEqual([...new Set(await idsOf(bob))])
  // without the key, the second try finds that the first one has stored the outcome
  const stored = 'idempotency-key' in headers ? 2 : 1
  expect({ accepted: body.accepted, ignored: body.ignored.map(({ index }) => index) }).toEqual({
    accepted: stored,
    ignored: stored === 2 ? [] : [1],
  })
})

test('without outcome_id, the 503 warns that a repeat stores outcomes twice', async () => {
  await using lenient = await shards.openFront({
    POSTHORN_SHARDS: `0=${shards.shards[0]?.url},1=${proxy.url}`,
    POSTHORN_MIXED_REPORTS: 'any',
  })
  const { outcome_id: _, ...without } = outcome(bob.accountId, 'uncertain')
  const at = { url: lenient.url, adminToken: shards.adminToken }
  proxy.set('no_reports')
  const { status, body } = await ask<Problem>(at, '/v1/outcomes', [
    outcome(ann.accountId, 'certain'),
    without,
  ])
  expect({ status, detail: body.detail }).toEqual({
    status: 503,
    detail: expect.stringMatching('stores some outcomes twice'),
  })
})

test('a report without outcome_id whose answer is lost is stored once, and not sent again', async () => {
  const { outcome_id: _, account_id, ...own } = outcome(bob.accountId, 'of-the-account')
  const data = { ...own.data, email_id: 'of-the-operator' }
  proxy.set('mute')
  const ofAccount = await ask<Problem>({ url: front.url, adminToken: bob.apiKey }, '/v1/outcomes', [own])
  const ofOperator = await report<Problem>([{ ...own, account_id, data }])
  expect([ofAccount.status, ofOperator.status]).toEqual([503, 503])
  proxy.set('open')
  const stored = (await idsOf(bob)).filter(id => id.startsWith('of-the-'))
  expect(stored).toEqual(['of-the-account', 'of-the-operator'])
})

test('reports under way while a shard comes and goes are stored exactly once and delivered without a gap', async () => {
  const endpoints = await Promise.all(
    [ann, bob].map(async customer => ({
      customer,
      webhook: await customer.newWebhook({ url: receiver.url(`/${customer.accountId}`) }),
    })),
  )
  const modes = ['open', 'mute', 'no_reports', 'open', 'closed'] as const
  const reports = Array.from({ length: 45 }, (_, n) =>
    [ann, bob, bob, ann, bob].map(({ accountId }, m) => outcome(accountId, `ledger-${n}-${m}`)),
  )
  const waiting = [...reports.entries()]
  const lostBefore = proxy.lostAnswers()
  let changes = 0
  const changing = setInterval(() => proxy.set(modes[changes++ % modes.length] ?? 'open'), 50)
  const events = new Map<string, string>()
  const sendWaiting = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [n, items] = next
      const headers = n % 2 === 0 ? {} : { 'idempotency-key': `ledger-${n}` }
      const { body } = await until('the report is accepted', async () => {
        const answer = await report(items, headers)
        return answer.status === 202 && answer
      })
      const ignored = new Map(body.ignored.map(({ index, event_id }) => [index, event_id]))
      const stored = [...body.events]
      items.forEach(({ data }, index) => {
        events.set(data.email_id, ignored.get(index) ?? stored.shift() ?? 'missing')
      })
    }
  }
  try {
    await Promise.all(Array.from({ length: 3 }, sendWaiting))
  } finally {
    clearInterval(changing)
  }
  expect(proxy.lostAnswers() - lostBefore).toBeGreaterThan(5)

  await receiver.waitForEvents(reports.length * 5)
  expect([...events.values()].sort()).toEqual([...receiver.counts().keys()].sort())
  expect(new Set(receiver.counts().values())).toEqual(new Set([1]))
  for (const { customer } of endpoints) {
    const sequences = receiver.received
      .filter(({ path }) => path === `/${customer.accountId}`)
      .map(({ sequence }) => sequence)
      .sort((a, b) => a - b)
    expect(sequences).toEqual(sequences.map((_, n) => n + 1))
    expect(sequences).toHaveLength(reports.length * (customer === ann ? 2 : 3))
  }
})

test('a shard that is down from the start gives a 503, and no shard stores its part', async () => {
  // the front has not asked for this account yet
  const carl = await shards.customerOn(1)
  const items = [ann, carl].map(({ accountId }, n) => outcome(accountId, `down-${n}`))
  proxy.set('closed')
  expect(await report<Problem>(items)).toMatchObject({
    status: 503,
    body: { code: 'shard_unavailable', detail: expect.stringMatching(/^Shard 1 .* does not respond/) },
  })
  // the accounts of the other shard are not affected
  expect((await report([outcome(ann.accountId, 'alone')])).body.accepted).toBe(1)
  expect(await idsOf(ann)).toContain('alone')
  expect(await idsOf(ann)).not.toContain('down-0')
})

test('a shard whose answers break off counts as a shard that does not answer', async () => {
  const items = [ann, bob].map(({ accountId }, n) => outcome(accountId, `cut-${n}`))
  await until('the shard is used again', async () => (await report(items)).status === 202)
  proxy.set('cut')
  const reported = await report<Problem>(items)
  expect(reported).toMatchObject({ status: 503, body: { code: 'shard_unavailable' } })
  expect(reported.body.detail).toMatch(/^Shard 1 .* other parts of this report may be stored/)

  // the front does not know yet whether this account exists
  const cara = await shards.customerOn(1)
  const unknown = await report<Problem>([ann, cara].map(({ accountId }) => outcome(accountId, 'cut-2')))
  expect(unknown).toMatchObject({ status: 503, body: { code: 'shard_unavailable' } })

  const headers = { authorization: `Bearer ${shards.adminToken}` }
  const get = async (path: string): Promise<Response> => await fetch(front.url + path, { headers })
  const [system, accounts, metrics] = [
    await get('/v1/system'),
    await get('/v1/accounts'),
    await get('/metrics'),
  ]
  expect([system.status, accounts.status, metrics.status]).toEqual([200, 200, 200])
  expect(await system.json()).toMatchObject({ shards: [{ state: 'up' }, { number: 1, state: 'down' }] })
  expect(await accounts.json()).toMatchObject({ unavailable_shards: [1] })
  expect(await metrics.text()).toContain('posthorn_shard_up{shard="1"} 0')
})

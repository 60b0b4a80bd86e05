import { createVerifier } from '@posthorn/receiver'
import type { ApiKey, Webhook } from '@posthorn/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Service } from '../../src/service.ts'
import { type Customer, customerAt, expectStatus } from '../support/api.ts'
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import { openShards, type TestInstallation } from '../support/shards.ts'
import { until } from '../support/until.ts'

interface Staged {
  key_id: string
  secret: string
}

// two shards, two processes on shard 1, and a front before each of them
let installation: TestInstallation
let beside: Service
let otherFront: Service
let receiver: Receiver
/** The same customer through either front. */
let customer: Customer
let other: Customer
let webhook: Webhook & { secret: string }
let load: { stop(): Promise<void> }

beforeAll(async () => {
  installation = await openShards(2, { shard: { POSTHORN_MAX_IN_FLIGHT_PER_ENDPOINT: '4' } })
  const [first, second] = installation.shards
  beside = (await second?.openBeside()) as Service
  otherFront = await installation.openFront({ POSTHORN_SHARDS: `0=${first?.url},1=${beside.url}` })
  receiver = await startReceiver()
  customer = await installation.customerOn(1)
  other = customerAt(otherFront.url, customer.accountId, customer.apiKey)
})

afterAll(async () => {
  await otherFront.drain()
  await beside.drain()
  await installation[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

let webhooks = 0
beforeEach(async () => {
  webhook = await customer.newWebhook({ url: receiver.url(`/${++webhooks}`) })
  load = startLoad()
  return async () => await load.stop()
})

/** Reports through both fronts, so that both processes send. */
function startLoad(): { stop(): Promise<void> } {
  let isStopped = false
  const reporters = [customer, other, customer, other].map(async reporter => {
    while (!isStopped) await reporter.report(5)
  })
  return {
    stop: async () => {
      isStopped = true
      await Promise.all(reporters)
    },
  }
}

const arrived = () => receiver.received.filter(one => one.path === `/${webhooks}`)

async function moreArrives(): Promise<void> {
  const before = arrived().length
  await until('more has arrived', () => arrived().length >= before + 100)
}

/** Two processes have four attempts each under way. */
const underWay = 8

/** Waits until more arrives, and returns the attempts that began after this was called. */
async function attemptsFromNow(): Promise<Received[]> {
  const before = arrived().length
  await until('attempts begin', () => arrived().length >= before + underWay + 100)
  return arrived().slice(before + underWay)
}

async function acceptedWith(secret: string, attempts: readonly Received[]): Promise<number> {
  const verifier = createVerifier({ secrets: secret })
  const results = await Promise.all(
    attempts.map(async one => (await verifier.safeVerify(one.body, one.signature)).ok),
  )
  return results.filter(isOk => isOk).length
}

test.each(['the front', 'the other front'])(
  'after promote has returned through %s, nothing is signed with the old secret',
  async through => {
    const keys = `/v1/webhooks/${webhook.id}/signing-keys`
    const staged = expectStatus(201, await customer.api.post<Staged>(`${keys}/stage`))
    await moreArrives()
    const { api } = through === 'the front' ? customer : other
    expectStatus(200, await api.post(`${keys}/${staged.key_id}/promote`))
    const attempts = await attemptsFromNow()
    expect(await acceptedWith(webhook.secret, attempts)).toBe(0)
    expect(await acceptedWith(staged.secret, attempts)).toBe(attempts.length)
  },
)

test('after retire has returned, nothing is signed with the staged secret', async () => {
  const keys = `/v1/webhooks/${webhook.id}/signing-keys`
  const staged = expectStatus(201, await customer.api.post<Staged>(`${keys}/stage`))
  await until('all processes sign with the staged secret too', async () => {
    const before = await attemptsFromNow()
    return (await acceptedWith(staged.secret, before)) === before.length
  })
  expectStatus(200, await other.api.post(`${keys}/${staged.key_id}/retire`))
  const attempts = await attemptsFromNow()
  expect(await acceptedWith(staged.secret, attempts)).toBe(0)
  expect(await acceptedWith(webhook.secret, attempts)).toBe(attempts.length)
})

test('after disable has returned, nothing is sent', async () => {
  const control = await customer.newWebhook({ url: receiver.url('/control') })
  await moreArrives()
  expectStatus(200, await customer.api.patch(`/v1/webhooks/${webhook.id}`, { enabled: false }))
  const atAnswer = arrived().length
  const before = receiver.received.filter(({ path }) => path === '/control').length
  await until(
    'another endpoint still gets events',
    () => receiver.received.filter(({ path }) => path === '/control').length >= before + 200,
  )
  expect(arrived().length).toBeLessThanOrEqual(atAnswer + underWay)
  await customer.api.delete(`/v1/webhooks/${control.id}`)
})

test('after the revocation of an API key has returned, no front lets it in', async () => {
  const path = `/v1/accounts/${customer.accountId}/api-keys`
  const created = await installation.operator.post<ApiKey & { api_key: string }>(path, {
    name: 'old',
    scopes: ['read', 'ingest'],
  })
  const key = expectStatus(201, created)
  const use = async (url: string): Promise<number> => {
    const authorization = `Bearer ${key.api_key}`
    return (await fetch(`${url}/v1/webhooks`, { headers: { authorization } })).status
  }
  const urls = [installation.url, otherFront.url]
  expect(await Promise.all(urls.map(use))).toEqual([200, 200])
  // both processes have just seen it
  let isRevoked = false
  const users = urls.map(async url => {
    while (!isRevoked) await use(url)
  })
  expect((await installation.operator.delete(`${path}/${key.id}`)).status).toBe(204)
  isRevoked = true
  for (let n = 0; n < 10; n++) expect(await Promise.all(urls.map(use))).toEqual([401, 401])
  await Promise.all(users)
})

import { createVerifier } from '@posthorn/receiver'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { parseTypeId } from '../../src/domain/type-id.ts'
import { type Customer, customerAt, expectStatus, newCustomer } from '../support/api.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { type DatabasePlace, newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'
import { reconcile } from './reconcile.ts'
import { startTraffic } from './traffic.ts'

let place: DatabasePlace
let services: [ServiceProcess, ServiceProcess]
let db: Database

beforeAll(async () => {
  place = await newDatabasePlace(newestServer())
  const installation = newInstallation(place)
  // a failed delivery waits long enough for the test to read it
  const settings = { POSTHORN_RETRY_BASE_SECONDS: '1' }
  services = await Promise.all([startService(installation, settings), startService(installation, settings)])
  db = await openDatabase({
    url: place.databaseUrl,
    dataDir: '',
    connectionsMax: 1,
    onLost: error => {
      throw error
    },
  })
})

afterAll(async () => {
  await db[Symbol.asyncDispose]()
  await Promise.all(services.map(async service => await service[Symbol.asyncDispose]()))
  await place[Symbol.asyncDispose]()
})

fault(
  'F53',
  'receivers with the old key, the new key or both accept every delivery while keys are rotated',
  async seen => {
    await using receiver = await startReceiver()
    const [customer, other] = await newCustomerAtBoth()
    const webhook = await customer.newWebhook({ url: receiver.url() })
    const keys = `/v1/webhooks/${webhook.id}/signing-keys`
    const traffic = startTraffic({ url: eitherUrl(), apiKey: customer.apiKey, batch: 5, pauseMs: 30 })
    const signedAfter = async (second: number, count = 40): Promise<void> =>
      void (await until(
        'more was signed',
        () => receiver.received.filter(one => secondOf(one) > second).length >= count,
      ))
    await receiver.waitForEvents(20)

    const staged = expectStatus(201, await other.api.post<Staged>(`${keys}/stage`))
    // a process may use its old knowledge for one more second
    const bothFrom = nowSecond() + 1
    await signedAfter(bothFrom)
    const bothUntil = nowSecond()
    expectStatus(200, await customer.api.post(`${keys}/${staged.key_id}/promote`))
    const promotedIn = nowSecond()
    await signedAfter(promotedIn)

    const dropped = expectStatus(201, await customer.api.post<Staged>(`${keys}/stage`))
    await receiver.waitForEvents(receiver.counts().size + 40)
    expectStatus(200, await other.api.post(`${keys}/${dropped.key_id}/retire`))
    const retiredIn = nowSecond()
    await signedAfter(retiredIn)
    await traffic.stop()

    const accepts = async (one: Received, ...secrets: string[]): Promise<boolean> =>
      (await createVerifier({ secrets, toleranceSeconds: 600 }).safeVerify(one.body, one.signature)).ok
    for (const one of receiver.received) {
      const t = secondOf(one)
      expect(await accepts(one, webhook.secret, staged.secret)).toBe(true)
      if (t < bothUntil) expect(await accepts(one, webhook.secret)).toBe(true)
      if (t > bothFrom) expect(await accepts(one, staged.secret)).toBe(true)
      if (t > promotedIn) expect(await accepts(one, webhook.secret)).toBe(false)
      if (t > retiredIn) expect(await accepts(one, dropped.secret)).toBe(false)
    }
    const { events } = await reconcile(customer, receiver, { accepted: traffic.accepted })
    seen(`${events} events while keys were staged, promoted and retired`)
  },
)

fault(
  'F55',
  'an endpoint whose sealed row was tampered with receives nothing, and other endpoints receive everything',
  async seen => {
    await using receiver = await startReceiver()
    const [customer] = await newCustomerAtBoth()
    const healthy = await customer.newWebhook({ url: receiver.url('/healthy'), headers: { 'X-A': 'b' } })
    const tampered: Record<string, string> = {}
    for (const how of Object.keys(tamperings)) {
      const { id } = await customer.newWebhook({ url: receiver.url(`/${how}`), headers: { 'X-A': 'b' } })
      tampered[how] = id
      await db.query(tamperings[how] ?? '', [parseTypeId('wh', id), parseTypeId('wh', healthy.id)])
    }
    await customer.report(50)
    await until('the healthy endpoint has all', async () => {
      return (await customer.deliveries(healthy.id, '&state=delivered')).length === 50
    })
    for (const [how, id] of Object.entries(tampered)) {
      const failed = await until('each was tried', async () => {
        const tried = await customer.deliveries(id, '&state=failed')
        return tried.length === 50 && tried
      })
      const { body } = await customer.api.get(`/v1/deliveries/${failed[0]?.id}`)
      expect([how, JSON.stringify(body)]).toEqual([
        how,
        expect.stringContaining('sealed secrets and sent nothing'),
      ])
    }
    expect(new Set(receiver.received.map(one => one.path))).toEqual(new Set(['/healthy']))
    seen(`${Object.keys(tampered).join(', ')}: 0 requests; 50 of 50 at the healthy endpoint`)
  },
)

fault('F56', 'once DELETE or disabling has returned, no pending delivery is sent or retried', async seen => {
  await using receiver = await startReceiver(one => (one.path === '/healthy' ? 204 : 503))
  const [customer, other] = await newCustomerAtBoth()
  await customer.newWebhook({ url: receiver.url('/healthy') })
  const deleted = await customer.newWebhook({ url: receiver.url('/deleted') })
  const disabled = await other.newWebhook({ url: receiver.url('/disabled') })
  await customer.report(200)
  const sentTo = (path: string): Received[] => receiver.received.filter(one => one.path === path)
  await until('both are failing', () => sentTo('/deleted').length > 20 && sentTo('/disabled').length > 20)

  const [gone, stopped] = await Promise.all([
    other.api.delete(`/v1/webhooks/${deleted.id}`),
    customer.api.patch(`/v1/webhooks/${disabled.id}`, { enabled: false }),
  ])
  expect([gone.status, stopped.status]).toEqual([204, 200])
  const answeredIn = nowSecond()
  receiver.respondWith(() => 204)
  await other.report(20)
  await until('the healthy one got what came later', () => sentTo('/healthy').length >= 220)
  await until('the healthy one got something two seconds later', async () => {
    await other.report(1)
    return sentTo('/healthy').some(one => secondOf(one) > answeredIn + 1)
  })
  await until('nothing waits for the deleted one', async () => (await waitingFor(deleted.id)) === 0)
  for (const path of ['/deleted', '/disabled'])
    expect(sentTo(path).filter(one => secondOf(one) > answeredIn)).toEqual([])
  const waiting = await waitingFor(disabled.id)
  expect(waiting).toBeGreaterThan(0)

  expectStatus(200, await other.api.patch(`/v1/webhooks/${disabled.id}`, { enabled: true }))
  await until(
    'what waited arrives once it is enabled again',
    async () => (await waitingFor(disabled.id)) === 0,
  )
  expect(sentTo('/deleted').filter(one => secondOf(one) > answeredIn)).toEqual([])
  seen(`200 events for each; ${waiting} pending deliveries sent when enabled again`)
})

fault(
  'F57',
  'a deleted account stops at once, even with attempts in flight, and other accounts are unaffected',
  async seen => {
    const held: Array<() => void> = []
    await using receiver = await startReceiver((one, response) => {
      if (one.path === '/other') return 204
      held.push(() => response.writeHead(204).end())
      return undefined
    })
    const [customer] = await newCustomerAtBoth()
    const [neighbour] = await newCustomerAtBoth()
    await customer.newWebhook({ url: receiver.url('/gone') })
    await neighbour.newWebhook({ url: receiver.url('/other') })
    await customer.report(100)
    await until('attempts are under way', () => held.length > 0)

    expect((await services[1].operator.delete(`/v1/accounts/${customer.accountId}`)).status).toBe(204)
    const answeredIn = nowSecond()
    expect((await customer.api.get('/v1/webhooks')).status).toBe(401)
    expect((await customer.api.post('/v1/outcomes', {})).status).toBe(401)
    const underWay = held.length
    for (const answer of held) answer()
    await neighbour.report(100)
    await until(
      'the neighbour has all',
      () => receiver.received.filter(one => one.path === '/other').length === 100,
    )
    const account = parseTypeId('acct', customer.accountId)
    await until('nothing waits for it', async () => {
      return (await db.query('select from queue where account_id = $1 limit 1', [account])).length === 0
    })
    expect(receiver.received.filter(one => one.path === '/gone' && secondOf(one) > answeredIn)).toEqual([])
    seen(`${underWay} attempts in flight`)
  },
)

interface Staged {
  key_id: string
  secret: string
}

/** What an attacker with access to the database does to the endpoint `$1`. `$2` is another endpoint of the account. */
const tamperings: Record<string, string> = {
  'secret-altered': `update signing_key set secret_sealed = set_bit(secret_sealed, 400, 1 - get_bit(secret_sealed, 400))
    where endpoint_id = $1 and $2::uuid is not null`,
  'secret-from-another': `update signing_key set secret_sealed = (select secret_sealed from signing_key
    where endpoint_id = $2) where endpoint_id = $1`,
  'secret-cut-off': `update signing_key set secret_sealed = substr(secret_sealed, 1, 1)
    where endpoint_id = $1 and $2::uuid is not null`,
  'headers-altered': `update endpoint set headers_sealed = set_bit(headers_sealed, 200, 1 - get_bit(headers_sealed, 200))
    where id = $1 and $2::uuid is not null`,
}

async function newCustomerAtBoth(): Promise<[Customer, Customer]> {
  const customer = await newCustomer(services[0].url, services[0].operator)
  return [customer, customerAt(services[1].url, customer.accountId, customer.apiKey)]
}

/** Returns the URLs of the two processes in turn. */
function eitherUrl(): () => string {
  let turn = 0
  return () => services[turn++ % 2 === 0 ? 0 : 1].url
}

async function waitingFor(webhookId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'select count(*) as count from queue where endpoint_id = $1',
    [parseTypeId('wh', webhookId)],
  )
  return rows[0]?.count ?? 0
}

/** The second in which it was signed, by the clock of this machine. */
function secondOf({ signature }: Received): number {
  return Number(/^t=(\d+)/.exec(signature)?.[1])
}

function nowSecond(): number {
  return Math.floor(Date.now() / 1_000)
}

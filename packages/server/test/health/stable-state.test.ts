import type { Webhook, WebhookHealth } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { type Customer, expectStatus, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { type DatabasePlace, newDatabasePlace, verbServers } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { uuidOf } from '../verbs/verb-context.ts'

const healthOf = async (customer: Customer, webhook: Webhook): Promise<WebhookHealth> =>
  expectStatus(200, await customer.api.get<WebhookHealth>(`/v1/webhooks/${webhook.id}/health`))

/** Waits until the statistics contain this many attempts. */
const untilCounted = async (customer: Customer, webhook: Webhook, attempts: number): Promise<WebhookHealth> =>
  await until(`${attempts} attempts are counted`, async () => {
    const health = await healthOf(customer, webhook)
    return health.last_day.delivered + health.last_day.failed === attempts ? health : undefined
  })

describe.each(verbServers())('the state of an endpoint on $name', backend => {
  let place: DatabasePlace
  let service: ServiceProcess
  let db: Database
  beforeAll(async () => {
    place = await newDatabasePlace(backend)
    // no retry happens during the test
    service = await startService(newInstallation(place), { POSTHORN_RETRY_BASE_SECONDS: '86400' })
    const { databaseUrl: url, dataDir } = place
    db = await openDatabase({ url, dataDir, connectionsMax: 1, onLost: () => {} })
  })
  afterAll(async () => {
    await db[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  })

  /** Moves all attempts of the account into the past. */
  const pass = async ({ accountId }: Customer, minutes: number): Promise<void> => {
    const values = [uuidOf('acct', accountId), minutes]
    const earlier = (column: string): string => `${column} = ${column} - $2::int * interval '1 minute'`
    for (const change of [
      `attempt_stat set ${earlier('at')}, ${earlier('last_at')}`,
      `endpoint set ${earlier('failing_since')}`,
      `delivery set ${earlier('last_attempt_at')}, ${earlier('delivered_at')}`,
    ]) {
      await db.query(`update ${change} where account_id = $1`, values)
    }
  }

  test('stays degraded while 70% of the attempts succeed, and becomes healthy once when all do', async () => {
    const acme = await newCustomer(service.url, service.operator)
    await using receiver = await startReceiver(one => (one.sequence % 10 < 7 ? 204 : 500))
    const webhook = await acme.newWebhook({ url: receiver.url() })
    await acme.report(60)
    await untilCounted(acme, webhook, 60)
    await pass(acme, 10)
    expect(await healthOf(acme, webhook)).toMatchObject({
      state: 'degraded',
      last_hour: { until: expect.stringMatching(/:00\.000Z$/), delivered: 42, failed: 18 },
      last_day: { delivered: 42, failed: 18, p50_ms: expect.any(Number), p95_ms: expect.any(Number) },
      last_failure_at: expect.any(String),
    })

    const seen = new Set<string>()
    for (let event = 1; event <= 40; event++) {
      await acme.report(1)
      await receiver.waitForEvents(60 + event)
      seen.add((await healthOf(acme, webhook)).state)
    }
    expect([...seen]).toEqual(['degraded'])

    receiver.respondWith(() => 204)
    await acme.report(50)
    await untilCounted(acme, webhook, 150)
    await pass(acme, 40)
    expect((await healthOf(acme, webhook)).state).toBe('degraded')
    await pass(acme, 30)
    const { state, last_hour: lastHour } = await healthOf(acme, webhook)
    expect(state).toBe('healthy')
    expect(lastHour).toMatchObject({ delivered: 0, failed: 0 })
  })

  test('is failing after the first attempt if nothing ever succeeded, and otherwise after a minute of failures', async () => {
    const acme = await newCustomer(service.url, service.operator)
    await using receiver = await startReceiver(() => 500)
    const webhook = await acme.newWebhook({ url: receiver.url() })
    const failed = async (count: number): Promise<WebhookHealth> =>
      await until(`${count} attempts failed in a row`, async () => {
        const health = await healthOf(acme, webhook)
        return health.failures_in_row === count ? health : undefined
      })
    await acme.report(1)
    expect((await failed(1)).state).toBe('failing')

    receiver.respondWith(() => 204)
    await acme.report(19)
    await failed(0)
    receiver.respondWith(() => 500)
    await acme.report(3)
    expect((await failed(3)).state).toBe('healthy')
    await untilCounted(acme, webhook, 23)
    await pass(acme, 10)
    await acme.report(1)
    expect((await failed(4)).state).toBe('failing')
    receiver.respondWith(() => 204)
    await acme.report(1)
    expect((await failed(0)).state).not.toBe('failing')
  })
})

import type { AuditEntry, Event, Webhook, WebhookHealth } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getWebhookHealth } from '../../src/health/get-webhook-health.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { type Customer, expectStatus, newCustomer, type Page } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import {
  verbBackends,
  type DatabasePlace,
  newDatabasePlace,
  newestServer,
  openTestDatabase,
} from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { storeDelivery, storeEvent } from '../verbs/stored-delivery.ts'
import { newAccount, uuidOf, verbContext } from '../verbs/verb-context.ts'
import { openNoticeInbox } from './notice-inbox.ts'

/** Twelve seconds of failures disable an endpoint. A delivery is given up within about one second, or six on a busy machine. */
const settings = {
  POSTHORN_DISABLE_AFTER_HOURS: String(12 / 3_600),
  POSTHORN_RETRY_BASE_SECONDS: '0.02',
  POSTHORN_RETRY_CAP_SECONDS: '0.05',
}

const healthOf = async (customer: Customer, webhook: Webhook): Promise<WebhookHealth> =>
  expectStatus(200, await customer.api.get<WebhookHealth>(`/v1/webhooks/${webhook.id}/health`))

const untilDisabled = async (customer: Customer, webhook: Webhook): Promise<WebhookHealth> =>
  await until('the endpoint is disabled', async () => {
    const health = await healthOf(customer, webhook)
    return health.status === 'disabled' ? health : undefined
  })

const audit = async (customer: Customer, action: string): Promise<AuditEntry[]> =>
  expectStatus(200, await customer.api.get<Page<AuditEntry>>(`/v1/audit-log?action=${action}`)).data

// concurrent, because each test waits for seconds of failures in its own account
describe.concurrent.each(verbBackends())('on $name', backend => {
  let place: DatabasePlace
  let service: ServiceProcess
  beforeAll(async () => {
    place = await newDatabasePlace(backend)
    service = await startService(newInstallation(place), settings)
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  })
  const newAcme = async (): Promise<Customer> => await newCustomer(service.url, service.operator)

  test('an endpoint that only fails causes one notice each when a delivery is exhausted, at half time, and when disabled', async () => {
    const acme = await newAcme()
    await using inbox = await openNoticeInbox(acme)
    await using receiver = await startReceiver(() => 500)
    const webhook = await acme.newWebhook({ url: receiver.url() })
    await acme.report(2)

    const givenUp = await inbox.waitFor('webhook.warning', 'delivery_exhausted')
    expect(givenUp.data).toMatchObject({ webhook_id: webhook.id, url: webhook.url })
    const warned = await healthOf(acme, webhook)
    expect(warned.warnings.map(one => one.code)).toContain('delivery_exhausted')
    expect(warned.disables_at).toBe(givenUp.data['disables_at'])
    await inbox.waitFor('webhook.warning', 'failing_half_time')

    const health = await untilDisabled(acme, webhook)
    expect(health).toMatchObject({ disabled_reason: 'failing', disables_at: null, failures_in_row: 26 })
    expect(health.warnings.map(one => one.code)).toContain('disabled_failing')
    const disabled = await inbox.waitFor('webhook.disabled')
    expect(disabled.data).toMatchObject({ webhook_id: webhook.id, reason: 'failing', failures_in_row: 26 })

    expect((await inbox.notices()).map(one => one.data['code'] ?? one.type)).toEqual([
      'delivery_exhausted',
      'failing_half_time',
      'webhook.disabled',
    ])
    expect(await audit(acme, 'webhook.disabled')).toMatchObject([
      {
        actor: { kind: 'system', api_key_id: null },
        target: webhook.id,
        before: { status: 'enabled' },
        after: { status: 'disabled', disabled_reason: 'failing' },
        request_id: null,
      },
    ])
    const logged = service
      .output()
      .split('\n')
      .filter(line => line.includes(webhook.id))
    expect(logged.map(line => /"health":"(\w+)"/.exec(line)?.[1])).toEqual([
      'warn_exhausted',
      'warn_half_time',
      'disable',
    ])
  })

  test('deliveries of a disabled endpoint stay pending, are counted, and are sent once it is enabled', async () => {
    const acme = await newAcme()
    await using receiver = await startReceiver(() => 500)
    const webhook = await acme.newWebhook({ url: receiver.url() })
    await acme.report(2)
    await untilDisabled(acme, webhook)
    const seen = receiver.received.length
    await acme.report(7)
    expectStatus(200, await acme.api.patch(`/v1/webhooks/${webhook.id}`, { rate_limit_per_second: 2 }))
    expect(await healthOf(acme, webhook)).toMatchObject({
      waiting_count: 7,
      drain_seconds: 4,
      last_due_at: null,
    })
    expect(receiver.received.length).toBe(seen)

    receiver.respondWith(() => 204)
    const enabled = { enabled: true, rate_limit_per_second: null }
    expectStatus(200, await acme.api.patch<Webhook>(`/v1/webhooks/${webhook.id}`, enabled))
    await receiver.waitForEvents(9)
    const health = await until('nothing waits', async () => {
      const now = await healthOf(acme, webhook)
      return now.waiting_count === 0 ? now : undefined
    })
    expect(health).toMatchObject({ status: 'enabled', failures_in_row: 0, failing_since: null, warnings: [] })
  })

  test('a success ends the warnings, and the account is notified', async () => {
    const acme = await newAcme()
    await using inbox = await openNoticeInbox(acme)
    await using receiver = await startReceiver(() => 500)
    const webhook = await acme.newWebhook({ url: receiver.url() })
    await acme.report(1)
    await inbox.waitFor('webhook.warning')
    receiver.respondWith(() => 204)
    await acme.report(1)
    const recovered = await inbox.waitFor('webhook.recovered')
    expect(recovered.data).toMatchObject({ webhook_id: webhook.id, failures_in_row: 0, failing_since: null })
    expect(await healthOf(acme, webhook)).toMatchObject({
      status: 'enabled',
      warnings: [],
      disables_at: null,
    })
  })

  test('an endpoint that fails for too long with fewer than twenty attempts stays enabled', async () => {
    const acme = await newAcme()
    await using inbox = await openNoticeInbox(acme)
    await using receiver = await startReceiver(() => 500)
    const webhook = await acme.newWebhook({ url: receiver.url() })
    await acme.report(1)
    await inbox.waitFor('webhook.warning', 'failing_half_time')
    await until('the time is over', async () => {
      const { disables_at } = await healthOf(acme, webhook)
      return disables_at !== null && Date.parse(disables_at) + 5_000 < Date.now()
    })
    expect(await healthOf(acme, webhook)).toMatchObject({ status: 'enabled', failures_in_row: 13 })
  })

  test('an endpoint that sometimes succeeds is not disabled, however many attempts fail', async () => {
    const acme = await newAcme()
    let requests = 0
    await using receiver = await startReceiver(() => (++requests % 30 === 0 ? 204 : 500))
    const webhook = await acme.newWebhook({ url: receiver.url() })
    const startedAtMs = Date.now()
    while (Date.now() < startedAtMs + 18_000) {
      const { length } = receiver.received
      await acme.report(1)
      await until('it was tried ten times more', () => receiver.received.length >= length + 10)
    }
    expect(await healthOf(acme, webhook)).toMatchObject({ status: 'enabled' })
  })

  test('an endpoint that returns 410 causes a notice that it is disabled', async () => {
    const acme = await newAcme()
    await using inbox = await openNoticeInbox(acme)
    await using receiver = await startReceiver(() => 410)
    const webhook = await acme.newWebhook({ url: receiver.url() })
    await acme.report(2)
    const notice = await inbox.waitFor('webhook.disabled')
    expect(notice.data).toMatchObject({ webhook_id: webhook.id, reason: 'gone' })
    expect((await healthOf(acme, webhook)).warnings.map(one => one.code)).toContain('disabled_gone')
    expect(await audit(acme, 'webhook.disabled')).toHaveLength(1)
  })

  test('the health of a deleted endpoint or of another account’s endpoint is not found', async () => {
    const acme = await newAcme()
    const webhook = await acme.newWebhook({ url: 'http://127.0.0.1:9/' })
    const other = await newAcme()
    const path = `/v1/webhooks/${webhook.id}/health`
    expect((await other.api.get(path)).status).toBe(404)
    expectStatus(204, await acme.api.delete(`/v1/webhooks/${webhook.id}`))
    expect((await acme.api.get(path)).status).toBe(404)
  })

  test('notices do not appear in the event routes', async () => {
    const acme = await newAcme()
    await using inbox = await openNoticeInbox(acme)
    await using receiver = await startReceiver(() => 410)
    await acme.newWebhook({ url: receiver.url() })
    const [reported] = await acme.report(1)
    const notice = await inbox.waitFor('webhook.disabled')
    const events = expectStatus(200, await acme.api.get<Page<Event>>('/v1/events')).data
    expect(events.map(event => event.id)).toEqual([reported])
    expect((await acme.api.get(`/v1/events/${notice.id}`)).status).toBe(404)
  })
})

test('only one of two processes disables an endpoint, and the account is notified once', async () => {
  await using place = await newDatabasePlace(newestServer())
  const installation = newInstallation(place)
  await using first = await startService(installation, settings)
  await using second = await startService(installation, settings)
  const acme = await newCustomer(first.url, first.operator)
  await using inbox = await openNoticeInbox(acme)
  await using receiver = await startReceiver(() => 500)
  const webhooks = await Promise.all(
    Array.from({ length: 10 }, async () => await acme.newWebhook({ url: receiver.url() })),
  )
  await acme.report(2)
  for (const webhook of webhooks) await untilDisabled(acme, webhook)
  const expected = webhooks.map(webhook => webhook.id).toSorted((a, b) => (a < b ? -1 : 1))
  const toldOf = async (code?: string): Promise<string[]> =>
    (await inbox.notices())
      .filter(one => one.data['code'] === code)
      .map(one => String(one.data['webhook_id']))
      .toSorted((a, b) => (a < b ? -1 : 1))
  await until('each is told of', async () => new Set(await toldOf()).size === expected.length)
  expect(await toldOf()).toEqual(expected)
  // on a busy machine these may happen only after the endpoint is disabled
  for (const code of ['delivery_exhausted', 'failing_half_time']) {
    const told = await toldOf(code)
    expect(told).toEqual([...new Set(told)])
  }
  expect(await audit(acme, 'webhook.disabled')).toHaveLength(expected.length)
  const steps = `${first.output()}${second.output()}`.match(/"health":"disable"/g)
  expect(steps).toHaveLength(expected.length)
})

test('a success ends failures that another process recorded', async () => {
  await using place = await newDatabasePlace(newestServer())
  await using service = await startService(newInstallation(place))
  const acme = await newCustomer(service.url, service.operator)
  await using receiver = await startReceiver()
  const webhook = await acme.newWebhook({ url: receiver.url() })
  await acme.report(1)
  await receiver.waitForEvents(1)
  await using db = await openDatabase({
    url: place.databaseUrl,
    dataDir: place.dataDir,
    connectionsMax: 1,
    onLost: () => {},
  })
  await db.query(`update endpoint set failing_since = now() - interval '6 days', failures_in_row = 2`)
  expect((await healthOf(acme, webhook)).failures_in_row).toBe(2)

  await acme.report(1)
  const health = await until('the failures are over', async () => {
    const now = await healthOf(acme, webhook)
    return now.failing_since === null ? now : undefined
  })
  expect(health).toMatchObject({ status: 'enabled', failures_in_row: 0 })
})

describe.each(verbBackends())('an endpoint with pending events on $name', backend => {
  test('has a warning from three days before retention deletes pending deliveries, and counts the deleted ones', async () => {
    await using db = await openTestDatabase(backend)
    const ctx = verbContext(db)
    const accountId = await newAccount(ctx)
    const webhook = await createWebhook(ctx, accountId, { url: 'https://a.example/', enabled: false })
    const webhookId = uuidOf('wh', webhook.id)
    await storeDelivery(ctx, accountId, webhookId, await storeEvent(ctx, accountId, {}))
    const warningsIf = async (retentionDays: number): Promise<string[]> =>
      (
        await getWebhookHealth({ ...ctx, settings: { ...ctx.settings, retentionDays } }, accountId, webhookId)
      ).warnings.map(one => one.code)
    expect(await warningsIf(4)).toEqual([])
    expect(await warningsIf(2)).toEqual(['waiting_expires'])

    await db.query('update endpoint set expired_deliveries = 3 where id = $1', [webhookId])
    expect(await getWebhookHealth(ctx, accountId, webhookId)).toMatchObject({ waiting_count: 1, expired: 3 })
  })

  test('shows when the last pending delivery is due', async () => {
    await using db = await openTestDatabase(backend)
    const ctx = verbContext(db)
    const accountId = await newAccount(ctx)
    const webhook = await createWebhook(ctx, accountId, { url: 'https://a.example/' })
    const webhookId = uuidOf('wh', webhook.id)
    expect(await getWebhookHealth(ctx, accountId, webhookId)).toMatchObject({
      waiting_count: 0,
      last_due_at: null,
    })
    for (const dueAt of [
      '2026-11-21T09:00:00.000Z',
      '2100-11-22T07:40:00.000Z',
      '2100-11-21T09:00:00.000Z',
    ]) {
      const id = await storeDelivery(ctx, accountId, webhookId, await storeEvent(ctx, accountId, {}))
      await db.query('update queue set due_at = $2 where delivery_id = $1', [id, dueAt])
    }
    expect(await getWebhookHealth(ctx, accountId, webhookId)).toMatchObject({
      waiting_count: 3,
      last_due_at: '2100-11-22T07:40:00.000Z',
    })
    await db.query('update queue set due_at = now() where due_at > now()')
    expect(await getWebhookHealth(ctx, accountId, webhookId)).toMatchObject({
      waiting_count: 3,
      last_due_at: null,
    })
  })
})

import { setTimeout as wait } from 'node:timers/promises'
import type { Delivery, System, Webhook } from '@posthorn/contract'
import { expect } from 'vitest'
import { serviceMetrics } from '../../../../bench/support/service-metrics.ts'
import type { Database } from '../../src/db/database.ts'
import { openPlace } from '../support/open-place.ts'
import { connectApi, type Customer, expectStatus, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { allBackends, newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { fakeClock } from './fake-clock.ts'
import { fault } from './fault.ts'
import { reconcile } from './reconcile.ts'

const days = 40
const deliveries = 50

fault(
  'T1',
  'a second process with a clock 40 days ahead deletes nothing, exhausts no delivery, and stores reports',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using receiver = await startReceiver()
    const installation = newInstallation(place)
    await using right = await startService(installation)
    const customer = await newCustomer(right.url, right.operator)
    const { id } = await customer.newWebhook({ url: receiver.url(), enabled: false })
    const accepted = await customer.report(deliveries)
    await using db = await openPlace(place)
    const before = await partitions(db)

    await using wrong = await startService(installation, fakeClock(place.dataDir, days))
    await until(
      'it has judged the clocks',
      () => wrong.output().includes('maintenance is stopped') || undefined,
    )
    // retention runs five seconds after the start
    await wait(8_000)

    expect(await partitions(db)).toEqual(expect.arrayContaining(before))
    expect(await states(customer, id)).toEqual(Array(deliveries).fill('pending'))
    expect((await fetch(`${wrong.url}/readyz`)).status).toBe(503)
    expect((await fetch(`${right.url}/readyz`)).status).toBe(200)
    expect((await maintenanceOf(wrong)).reason).toBe('clocks_differ')
    expect((await maintenanceOf(right)).state).toBe('running')
    for (const { url } of [right, wrong]) {
      accepted.push(...(await reportAt(url, customer)))
    }
    await customer.api.patch(`/v1/webhooks/${id}`, { enabled: true })
    const { events } = await reconcile(customer, receiver, { accepted })
    expect(Math.max(...receiver.received.map(signedOffMs))).toBeLessThan(60_000)
    seen(`${deliveries} pending deliveries, ${events} events, none lost`)
  },
)

fault(
  'T1',
  'an embedded database that starts 40 days later keeps pending deliveries and endpoints until the operator confirms the clock',
  async seen => {
    const embedded = allBackends()[0]
    if (embedded === undefined) throw new Error('there is always an embedded database')
    await using place = await newDatabasePlace(embedded)
    await using receiver = await startReceiver(() => 500)
    const installation = newInstallation(place)
    let ids: { waiting: string; failing: string }
    let customer: Customer
    {
      await using service = await startService(installation, { POSTHORN_RETRY_BASE_SECONDS: '0.01' })
      customer = await newCustomer(service.url, service.operator)
      const [waiting, failing] = [
        await customer.newWebhook({ url: receiver.url('/waiting'), enabled: false }),
        await customer.newWebhook({ url: receiver.url('/failing') }),
      ]
      ids = { waiting: waiting.id, failing: failing.id }
      await customer.report(deliveries)
      await until('the endpoint has failed often enough to be disabled', () => receiver.received.length > 30)
      await service.stop()
    }
    await using later = await startService(installation, fakeClock(place.dataDir, days))
    const { apiKey } = customer
    const api = connectApi(later.url, apiKey)
    await until(
      'it has judged the clock',
      () => later.output().includes('maintenance is stopped') || undefined,
    )
    await wait(8_000)
    expect(await maintenanceOf(later)).toMatchObject({ state: 'stopped', reason: 'clock_jumped' })
    expect((await serviceMetrics(later.url))('posthorn_maintenance_stopped')).toBe(1)
    expect((await fetch(`${later.url}/readyz`)).status).toBe(200)
    const { body: kept } = await api.get<{ data: Delivery[] }>(
      `/v1/webhooks/${ids.waiting}/deliveries?limit=250`,
    )
    expect(kept.data.map(({ state }) => state)).toEqual(Array(deliveries).fill('pending'))
    const { body: endpoint } = await api.get<Webhook>(`/v1/webhooks/${ids.failing}`)
    expect(endpoint.status).toBe('enabled')
    expect(await reportAt(later.url, customer)).toHaveLength(1)

    // the control: once the operator confirms the clock, the gate lets the jobs run
    expectStatus(200, await later.operator.post('/v1/system/confirm-clock'))
    await until('the endpoint that has failed for 40 days is disabled', async () => {
      const { body } = await api.get<Webhook>(`/v1/webhooks/${ids.failing}`)
      return body.disabled_reason === 'failing'
    })
    expect((await maintenanceOf(later)).state).toBe('running')
    seen(`${deliveries} pending deliveries; the endpoint was disabled only after the confirmation`)
  },
)

fault(
  'T3',
  'reports and test events are stored and sent although the partition of the day is missing',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using receiver = await startReceiver()
    await using service = await startService(newInstallation(place))
    await using db = await openPlace(place)
    const customer = await newCustomer(service.url, service.operator)
    const { id } = await customer.newWebhook({ url: receiver.url() })
    const report = { type: 'email.delivered', data: { email_id: 'em_1', to: ['reader@example.org'] } }
    const raw = { email_id: 'em_2', recipient: 'reader@example.org', disposition: 'accepted' }
    const ways: Record<string, () => Promise<{ status: number }>> = {
      alone: () => customer.api.post('/v1/outcomes', report),
      'to be judged': () => customer.api.post('/v1/outcomes', raw),
      'in bulk': () => customer.api.post('/v1/outcomes', Array(300).fill(report)),
      'with a key': () => customer.api.post('/v1/outcomes', report, { 'idempotency-key': 'once' }),
      'a test event': () => customer.api.post(`/v1/webhooks/${id}/test`, { type: 'email.delivered' }),
    }
    for (const [way, send] of Object.entries(ways)) {
      for (const name of await partitions(db)) await db.query(`drop table ${name}`)
      expect([way, (await send()).status]).toEqual([way, 202])
      await receiver.waitForEvents(receiver.counts().size + (way === 'in bulk' ? 300 : 1))
      await until(`what was reported ${way} is settled`, async () => (await unsettled(service)) === 0)
    }
    for (const name of await partitions(db)) await db.query(`drop table ${name}`)
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
    expect((await partitions(db)).length).toBeGreaterThan(0)
    seen(`${Object.keys(ways).length} ways to report, with all partitions dropped before each`)
  },
)

async function unsettled({ url }: ServiceProcess): Promise<number> {
  const metric = await serviceMetrics(url)
  return metric('posthorn_results_unsettled') + metric('posthorn_attempts_in_flight')
}

async function partitions(db: Database): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where c.relkind = 'r' order by 1`,
  )
  return rows.map(({ name }) => name)
}

async function states(customer: Customer, webhookId: string): Promise<string[]> {
  return (await customer.deliveries(webhookId)).map(({ state }) => state)
}

async function maintenanceOf({ operator }: ServiceProcess): Promise<System['maintenance']> {
  return expectStatus(200, await operator.get<System>('/v1/system')).maintenance
}

/** One event, by one process. */
async function reportAt(url: string, { apiKey }: Customer): Promise<string[]> {
  const data = { email_id: 'em_1', to: ['reader@example.org'] }
  const answer = await connectApi(url, apiKey).post<{ events: string[] }>('/v1/outcomes', {
    type: 'email.delivered',
    data,
  })
  return expectStatus(202, answer).events
}

function signedOffMs({ signature, atMs }: { signature: string; atMs: number }): number {
  return Math.abs(Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1]) * 1_000 - atMs)
}

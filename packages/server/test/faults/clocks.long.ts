import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, inject } from 'vitest'
import { serviceMetrics } from '../../../../bench/support/service-metrics.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { newCustomer } from '../support/api.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { customerInTraffic } from './customer-in-traffic.ts'
import { fault } from './fault.ts'
import { newMovedClock } from './moved-clock.ts'
import { reconcile } from './reconcile.ts'

const minuteMs = 60_000
const settings = { POSTHORN_RETRY_BASE_SECONDS: '1' }

fault(
  'F16',
  'events accepted by a process with a wrong clock are delivered at once and retried on database time',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using receiver = await startReceiver(({ attempt }) => (attempt === 1 ? 500 : 204))
    const installation = newInstallation(place)
    let events = 0
    for (const offMs of [10 * minuteMs, -10 * minuteMs]) {
      const wrong = newMovedClock(newFolder(), offMs)
      await using api = await startService(installation, { ...wrong.settings, POSTHORN_ROLE: 'api' })
      const almostWrong = newMovedClock(newFolder(), -Math.sign(offMs) * 50_000)
      await using _dispatcher = await startService(installation, {
        ...settings,
        ...almostWrong.settings,
        POSTHORN_ROLE: 'dispatcher',
      })
      const customer = await newCustomer(api.url, api.operator)
      const path = `/${offMs}`
      await customer.newWebhook({ url: receiver.url(path) })
      const accepted = await customer.report(100)
      events += (await reconcile(customer, receiver, { accepted, paths: [path] })).events
      const all = customer.api
      await until('each is delivered by its second attempt', async () => {
        const { body } = await all.get<{ data: unknown[] }>('/v1/deliveries?state=delivered&limit=250')
        return body.data.length === 100
      })
    }
    expect(signedOffMs(receiver)).toBeLessThan(minuteMs)
    seen(
      `API 10 min ahead and behind, dispatcher 50 s off in the other direction, ${events} events with two attempts each`,
    )
  },
)

fault(
  'F18',
  'a process whose clock is ten minutes off signs nothing, reports it and resumes after the correction',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using receiver = await startReceiver()
    const clock = newMovedClock(place.dataDir)
    await using service = await startService(newInstallation(place), { ...settings, ...clock.settings })
    const { customer, traffic } = await customerInTraffic(service, receiver)
    const skewSeconds = async (): Promise<number> =>
      (await serviceMetrics(service.url))('posthorn_clock_skew_seconds')

    for (const offMs of [10 * minuteMs, -10 * minuteMs]) {
      await receiver.waitForEvents(receiver.counts().size + 200)
      clock.set(offMs)
      await until('it sees that', async () => Math.abs((await skewSeconds()) - offMs / 1_000) < 5)
      expect((await fetch(`${service.url}/readyz`)).status).toBe(503)
      await until('nothing is under way', async () => {
        const metric = await serviceMetrics(service.url)
        return metric('posthorn_attempts_in_flight') === 0
      })
      const [arrived, accepted] = [receiver.received.length, traffic.accepted.length]
      // longer than its polling interval
      await wait(6_000)
      expect(traffic.accepted.length).toBeGreaterThan(accepted)
      expect(receiver.received).toHaveLength(arrived)
      clock.set(0)
      await until('it is ready', async () => (await fetch(`${service.url}/readyz`)).status === 200)
    }
    await traffic.stop()
    const { events } = await reconcile(customer, receiver, { accepted: traffic.accepted })
    expect(signedOffMs(receiver)).toBeLessThan(minuteMs)
    seen(`${events} events; signature timestamps at most ${(signedOffMs(receiver) / 1_000).toFixed(0)} s off`)
  },
)

fault(
  'F19',
  'if the clock jumps back, every event still arrives, and sequence numbers have no gap',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using receiver = await startReceiver()
    const clock = newMovedClock(place.dataDir)
    await using service = await startService(newInstallation(place), { ...settings, ...clock.settings })
    const { customer, traffic } = await customerInTraffic(service, receiver)
    const offsMs = [-1_000, -5_000, -30_000, -50_000]
    for (const offMs of offsMs) {
      await receiver.waitForEvents(receiver.counts().size + 200)
      clock.set(offMs)
    }
    await receiver.waitForEvents(receiver.counts().size + 200)
    await traffic.stop()
    const { events, duplicates } = await reconcile(customer, receiver, { accepted: traffic.accepted })
    expect(new Set(traffic.accepted).size).toBe(traffic.accepted.length)
    expect(signedOffMs(receiver)).toBeLessThan(minuteMs)
    seen(`${offsMs.length} jumps of up to 30 s, ${events} events, ${duplicates} duplicates`)
  },
)

fault(
  'F20',
  'time zones, daylight saving time and leap seconds change nothing, because all times are in UTC',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using db = await openDatabase({
      url: place.databaseUrl,
      dataDir: '',
      connectionsMax: 1,
      onLost: () => {},
    })
    // daylight saving time of half an hour, and the largest offset from it
    await db.query(
      `do $$ begin execute format('alter database %I set timezone to ''Australia/Lord_Howe''', current_database()); end $$`,
    )
    await using receiver = await startReceiver(({ attempt }) => (attempt === 1 ? 500 : 204))
    await using service = await startService(newInstallation(place), { ...settings, TZ: 'America/St_Johns' })
    const customer = await newCustomer(service.url, service.operator)
    await customer.newWebhook({ url: receiver.url() })
    const moments = [
      ['2026-10-25T02:30:00+02:00', 202],
      ['2026-10-25T02:30:00+01:00', 202],
      ['2026-03-08T02:30:00-05:00', 202],
      ['2016-12-31T23:59:60Z', 202],
      ['2016-12-31t23:59:60z', 202],
      ['2026-11-21T04:00:60Z', 422],
    ] as const
    for (const [occurred_at, status] of moments) {
      const data = { email_id: 'em_1', to: ['reader@example.org'] }
      const answer = await customer.api.post('/v1/outcomes', { type: 'email.delivered', occurred_at, data })
      expect([occurred_at, answer.status]).toEqual([occurred_at, status])
    }
    const { events } = await reconcile(customer, receiver, { accepted: [] })
    expect(events).toBe(5)
    expect(signedOffMs(receiver)).toBeLessThan(minuteMs)
    const ranges = await db.query<{ range: string }>(
      `select pg_get_expr(relpartbound, oid) as range from pg_class where relispartition and relkind = 'r'`,
    )
    const days = ranges.flatMap(({ range }) =>
      [...range.matchAll(/'([0-9a-f]{8})-([0-9a-f]{4})/g)].map(
        ([, high, low]) => Number(`0x${high}${low}`) / 86_400_000,
      ),
    )
    expect(days.length).toBeGreaterThan(0)
    expect(days.every(Number.isInteger)).toBe(true)
    seen(
      `process and database in time zones with daylight saving time; ${days.length} partition bounds at midnight UTC`,
    )
  },
)

function newFolder(): string {
  return mkdtempSync(join(inject('scratchFolder'), 'clock-'))
}

/** The largest difference between the timestamp of a signature and its arrival. */
function signedOffMs(receiver: Receiver): number {
  const off = receiver.received.map(one => {
    const seconds = Number(/(?:^|,)t=(\d+)/.exec(one.signature)?.[1])
    return Math.abs(seconds * 1_000 - one.atMs)
  })
  return Math.max(...off)
}

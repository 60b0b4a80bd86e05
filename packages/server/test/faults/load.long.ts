import type { Replay } from '@posthorn/contract'
import { expect } from 'vitest'
import { customerAt, expectStatus, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'
import { besideHangingEndpoints } from './hanging-endpoints.ts'
import { newWebhooks } from './many-webhooks.ts'
import { metric } from './metric.ts'
import { reconcile } from './reconcile.ts'
import { startTraffic } from './traffic.ts'

besideHangingEndpoints(5_000, 600_000)

fault(
  'F48',
  'events of other accounts arrive while a burst from one account is being sent',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using receiver = await startReceiver()
    await using others = await startReceiver()
    await using service = await startService(newInstallation(place))
    const bursting = await newCustomer(service.url, service.operator)
    const calm = await newCustomer(service.url, service.operator)
    await bursting.newWebhook({ url: receiver.url() })
    await calm.newWebhook({ url: others.url() })

    const burst = 50_000
    for (let n = 0; n < burst; n += 10_000) {
      await Promise.all(Array.from({ length: 10 }, async () => await bursting.report(1_000)))
    }
    let told = 0
    while (receiver.counts().size < burst) {
      await calm.report(1)
      told++
      await others.waitForEvents(told)
    }
    expect(told).toBeGreaterThan(10)
    expect(receiver.received).toHaveLength(burst)
    seen(`${told} events of another account arrived one by one during a burst of ${burst}`)
  },
  600_000,
)

fault(
  'F49',
  'deliveries that failed together are retried at different times, within each endpoint’s limit of concurrent requests',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    const underWay = new Map<string, number>()
    const change = (path: string, by: number): number => {
      const now = (underWay.get(path) ?? 0) + by
      underWay.set(path, now)
      return now
    }
    let most = 0
    let isAway = true
    await using receiver = await startReceiver(({ path }, response) => {
      if (isAway) return 503
      most = Math.max(most, change(path, 1))
      setTimeout(() => {
        change(path, -1)
        response.writeHead(204).end()
      }, 20)
      return undefined
    })
    await using service = await startService(newInstallation(place), {
      POSTHORN_RETRY_BASE_SECONDS: '20',
      POSTHORN_MAX_IN_FLIGHT_PER_ENDPOINT: '10',
    })
    const customer = await newCustomer(service.url, service.operator)
    // few at each endpoint, because a failing endpoint gets at most two attempts at once, which would spread them
    await newWebhooks(customer, 100, n => receiver.url(`/${n}`))
    await customer.report(10)
    const arrivedSince = (from: number): number =>
      new Set(receiver.received.slice(from).map(({ path, eventId }) => path + eventId)).size
    await until('each has failed once', () => arrivedSince(0) === 1_000)
    isAway = false
    const failedBy = receiver.received.length
    await until('each has arrived', () => arrivedSince(failedBy) === 1_000, 120_000)
    // full jitter spreads the second attempts over the whole interval
    const back = receiver.received.slice(failedBy).map(one => one.atMs)
    const bySecond = [...Map.groupBy(back, atMs => Math.floor(atMs / 1_000)).values()].map(one => one.length)
    expect(Math.max(...bySecond)).toBeLessThan(1_000 / 4)
    expect(most).toBeLessThanOrEqual(10)
    seen(
      `1,000 deliveries of 100 endpoints retried over ${bySecond.length} s, at most ${Math.max(...bySecond)} in one second, ${most} at once`,
    )
  },
)

fault(
  'F50',
  'hundreds of endpoints on a hanging host do not block endpoints that have received events before',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using hanging = await startReceiver(() => undefined)
    await using healthy = await startReceiver()
    await using service = await startService(newInstallation(place))
    const accounts = await Promise.all(
      Array.from({ length: 10 }, async () => await newCustomer(service.url, service.operator)),
    )
    for (const account of accounts) {
      await account.newWebhook({ url: healthy.url() })
      await account.report(1)
    }
    await healthy.waitForEvents(10)
    for (const account of accounts) await newWebhooks(account, 30, n => hanging.url(`/hangs/${n}`))
    for (const account of accounts) await account.report(10)
    await healthy.waitForEvents(110)
    const sockets = await metric(service, 'posthorn_egress_sockets')
    expect(sockets).toBeLessThanOrEqual(1_100)
    seen(`300 endpoints on one hanging host, ${sockets} sockets`)
  },
)

fault(
  'F52',
  'a replay of 100,000 deliveries runs beside live traffic without blocking it',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using receiver = await startReceiver()
    await using others = await startReceiver()
    await using service = await startService(newInstallation(place), { POSTHORN_DRAIN_PER_SECOND: '2000' })
    const customer = await newCustomer(service.url, service.operator)
    const calm = await newCustomer(service.url, service.operator)
    const webhook = await customer.newWebhook({ url: receiver.url() })
    await calm.newWebhook({ url: others.url() })
    const count = 100_000
    for (let n = 0; n < count; n += 10_000) {
      await Promise.all(Array.from({ length: 10 }, async () => await customer.report(1_000)))
    }
    await until('all have arrived', () => receiver.received.length === count, 300_000)

    const path = `/v1/webhooks/${webhook.id}/replays`
    const range = { since: '2020-01-01T00:00:00Z', states: ['delivered'] }
    const replay = expectStatus(202, await customer.api.post<Replay>(path, range))
    const traffic = startTraffic({ url: () => service.url, apiKey: calm.apiKey, batch: 1, pauseMs: 20 })
    await until('the replay has sent half', () => receiver.received.length > count * 1.5, 300_000)
    const liveBy = traffic.accepted.length
    expect(liveBy).toBeGreaterThan(0)
    await others.waitForEvents(liveBy)
    expect(receiver.received.length, 'live traffic was not behind the replay').toBeLessThan(count * 2)
    await until('the replay has sent all', () => receiver.received.length >= count * 2, 300_000)
    await traffic.stop()
    const { events } = await reconcile(customerAt(service.url, calm.accountId, calm.apiKey), others, {
      accepted: traffic.accepted,
    })
    const ended = await until('the replay has ended', async () => {
      const now = expectStatus(200, await customer.api.get<Replay>(`/v1/replays/${replay.id}`))
      return now.state === 'running' ? undefined : now
    })
    expect(ended.state).toBe('done')
    seen(`100,000 deliveries replayed beside ${events} live events`)
  },
  900_000,
)

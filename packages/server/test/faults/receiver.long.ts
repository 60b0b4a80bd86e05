import { expect } from 'vitest'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import * as behaves from './behaviours.ts'
import { fault } from './fault.ts'
import { type FaultReceiver, startFaultReceiver } from './fault-receiver.ts'
import { retriesAtOnce, startFaultyEndpoints } from './faulty-endpoints.ts'
import { peakMemoryBytes } from './peak-memory.ts'

fault('F41', 'every event arrives, each attempt is recorded, and the endpoint stays enabled', async seen => {
  await using receiver = await startReceiver(({ attempt }) => (attempt % 2 === 1 ? 503 : 204))
  const flapping = { url: receiver.url(), requests: () => receiver.received.length }
  await using endpoints = await startFaultyEndpoints({ flapping }, retriesAtOnce)
  const { customer } = endpoints
  await endpoints.sendAll()
  const { webhook } = await endpoints.told('flapping')
  const events = 500
  await customer.report(events, { type: 'email.bounced' })
  const deliveries = await until(
    'all have arrived',
    async () => {
      const all = await customer.deliveries(webhook.id)
      return all.length === events + 1 && all.every(({ state }) => state === 'delivered') && all
    },
    120_000,
  )
  expect(deliveries.every(one => one.attempt_count === 2)).toBe(true)
  expect(receiver.received).toHaveLength(2 * (events + 1))
  expect((await endpoints.told('flapping')).webhook.status).toBe('enabled')
  seen(`${events + 1} events, ${receiver.received.length} requests, half of them failed`)
})

fault(
  'F28',
  'hundreds of 10 GB responses and gzip bombs at once use less than 128 MiB of memory',
  async seen => {
    const faulty = Object.fromEntries(
      Object.entries({
        success: behaves.tenGigabytes(200),
        failure: behaves.tenGigabytes(500),
        bomb: behaves.gzipBomb(),
      }),
    )
    await using opened = new AsyncDisposableStack()
    const receivers: Record<string, FaultReceiver> = {}
    for (const [name, behaviour] of Object.entries(faulty)) {
      receivers[name] = opened.use(await startFaultReceiver(behaviour))
    }
    await using endpoints = await startFaultyEndpoints(receivers, {
      POSTHORN_MAX_IN_FLIGHT_PER_ENDPOINT: '100',
    })
    await endpoints.sendAll()
    const told = await Promise.all(Object.keys(receivers).map(async name => await endpoints.told(name)))
    const before = peakMemoryBytes(endpoints.service().pid)
    await endpoints.customer.report(100, { type: 'email.bounced' })
    await until(
      'every event was tried at every endpoint',
      async () => {
        for (const { webhook } of told) {
          if ((await endpoints.customer.deliveries(webhook.id, '&state=pending')).length > 0) return false
        }
        return true
      },
      120_000,
    )
    const grown = peakMemoryBytes(endpoints.service().pid) - before
    expect(grown).toBeLessThan(128 * 1024 * 1024)
    seen(`300 such responses, ${Math.round(grown / 1024 / 1024)} MiB more at the peak`)
  },
)

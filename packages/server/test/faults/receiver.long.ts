import type { Socket } from 'node:net'
import { expect } from 'vitest'
import { answer } from '../egress/raw-receiver.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import * as behaves from './behaviours.ts'
import { fault } from './fault.ts'
import { type Behaviour, type FaultReceiver, startFaultReceiver } from './fault-receiver.ts'
import { retriesAtOnce, startFaultyEndpoints } from './faulty-endpoints.ts'
import { peakMemoryBytes } from './peak-memory.ts'

/** Answers the first request of each connection and resets it at the second. */
function resetsKeptConnection(): Behaviour {
  const known = new WeakSet<Socket>()
  return {
    answer: socket => {
      if (known.has(socket)) return void socket.resetAndDestroy()
      known.add(socket)
      socket.write(answer(204))
    },
  }
}

fault(
  'F40',
  'a request that left is an attempt and is never repeated in silence; one that did not leave costs nothing',
  async seen => {
    await using resetting = await startFaultReceiver(resetsKeptConnection())
    await using ending = await startFaultReceiver({ answer: socket => void socket.end(answer(204)) })
    await using endpoints = await startFaultyEndpoints({ resetting, ending }, retriesAtOnce)
    const { customer } = endpoints
    await endpoints.sendAll()
    const rounds = 30
    for (const [name, receiver] of Object.entries({ resetting, ending })) {
      const { webhook } = await endpoints.told(name)
      for (let round = 0; round < rounds; round++) {
        await customer.report(1, { type: 'email.bounced' })
        await until('it arrived', async () =>
          (await customer.deliveries(webhook.id)).every(({ state }) => state === 'delivered'),
        )
      }
      const deliveries = await customer.deliveries(webhook.id)
      const attempts = deliveries.reduce((sum, one) => sum + one.attempt_count, 0)
      expect(receiver.requests(), name).toBeLessThanOrEqual(attempts)
      seen(`${name}: ${deliveries.length} events, ${attempts} attempts, ${receiver.requests()} requests`)
    }
    // each second event finds the kept connection, is reset on it, and arrives on a new one
    expect(resetting.requests()).toBeGreaterThan(rounds + 1)
  },
)

fault('F41', 'every event arrives, each attempt is told, and the endpoint stays enabled', async seen => {
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

fault('F28', 'a hundred answers of 10 GB and a hundred bombs at once take no memory', async seen => {
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
  const before = peakMemoryBytes(endpoints.service().pid)
  await endpoints.customer.report(100, { type: 'email.bounced' })
  await until(
    'every event was tried at every endpoint',
    async () => {
      for (const name of Object.keys(receivers)) {
        const { webhook } = await endpoints.told(name)
        if ((await endpoints.customer.deliveries(webhook.id, '&state=pending')).length > 0) return false
      }
      return true
    },
    120_000,
  )
  const grown = peakMemoryBytes(endpoints.service().pid) - before
  expect(grown).toBeLessThan(128 * 1024 * 1024)
  seen(`300 such answers, ${Math.round(grown / 1024 / 1024)} MiB more at the peak`)
})

import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { answer } from '../egress/raw-receiver.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import * as behaves from './behaviours.ts'
import { fault } from './fault.ts'
import { type Behaviour, startFaultReceiver } from './fault-receiver.ts'
import { type FaultyEndpoints, startFaultyEndpoints } from './faulty-endpoints.ts'
import { peakMemoryBytes } from './peak-memory.ts'

const retriesAtOnce = { POSTHORN_RETRY_BASE_SECONDS: '0', POSTHORN_RETRY_CAP_SECONDS: '0' }
const triesMax = 13

describe('Retry-After', () => {
  const inTenMinutes = new Date(Date.now() + 600_000).toUTCString()
  /** What is asked for, and the least wait that follows, in seconds; null: as if nothing was asked. */
  const spellings: ReadonlyArray<readonly [status: number, asked: string, waitSeconds: number | null]> = [
    [429, '5', 5],
    [503, ' 5 ', 5],
    [409, '7', 7],
    [429, '1000000000', 3_600],
    [503, inTenMinutes, 600],
    [503, 'Thu, 01 Jan 1970 00:00:00 GMT', 1],
    [429, '0', 1],
    [429, '-1', null],
    [429, '5.5', null],
    [503, 'soon', null],
    [503, '', null],
    [503, '99999999999999999999', null],
    [500, '3600', null],
  ]
  const nameOf = (n: number): string => `spelling ${n}`
  let endpoints: FaultyEndpoints
  const opened = new AsyncDisposableStack()
  beforeAll(async () => {
    const receivers = await Promise.all(
      spellings.map(async ([status, asked]) =>
        opened.use(await startFaultReceiver(behaves.answers(status, { 'retry-after': asked }))),
      ),
    )
    endpoints = opened.use(
      await startFaultyEndpoints(
        Object.fromEntries(receivers.map((receiver, n) => [nameOf(n), receiver])),
        retriesAtOnce,
      ),
    )
    await endpoints.sendAll()
  })
  afterAll(async () => await opened.disposeAsync())

  fault(
    'F36',
    'seconds and dates are heeded, between a second and an hour; all else is as if nothing was said',
    async seen => {
      for (const [n, [status, asked, waitSeconds]] of spellings.entries()) {
        const what = `${status}, Retry-After: ${asked}`
        const { delivery } = await until(`${what}: it was tried as often as that means`, async () => {
          const told = await endpoints.told(nameOf(n))
          return (
            told.delivery.attempt_count === (waitSeconds === null ? triesMax : told.attempts.length) && told
          )
        })
        if (waitSeconds === null) {
          expect(delivery, what).toMatchObject({ state: 'exhausted', reason: 'retries_used' })
          continue
        }
        const { next_attempt_at: next, last_attempt_at: last, last_duration_ms: tookMs } = delivery
        const waitMs = Date.parse(next ?? '') - Date.parse(last ?? '') - (tookMs ?? 0)
        // the rest is what passes between the answer and its commit, and the start of a date's second
        expect(waitMs, what).toBeGreaterThan(
          waitSeconds * 1_000 - 60_000 * (waitSeconds === 600 ? 1 : 0) - 100,
        )
        expect(waitMs, what).toBeLessThan(waitSeconds * 1_000 + 5_000)
      }
      seen(`${spellings.length} spellings`)
    },
  )
})

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
    const resetting = await startFaultReceiver(resetsKeptConnection())
    const ending = await startFaultReceiver({ answer: socket => void socket.end(answer(204)) })
    await using _ = {
      [Symbol.asyncDispose]: async () =>
        void (await Promise.all([resetting, ending].map(one => one[Symbol.asyncDispose]()))),
    }
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
      const attempts = (await customer.deliveries(webhook.id)).reduce(
        (sum, one) => sum + one.attempt_count,
        0,
      )
      expect(receiver.requests(), name).toBeLessThanOrEqual(attempts)
      seen(`${name}: ${rounds + 1} events, ${attempts} attempts, ${receiver.requests()} requests`)
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
  const receivers: Record<string, Awaited<ReturnType<typeof startFaultReceiver>>> = {}
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
  expect(grown).toBeLessThan(256 * 1024 * 1024)
  seen(`300 such answers, ${Math.round(grown / 1024 / 1024)} MiB more at the peak`)
})

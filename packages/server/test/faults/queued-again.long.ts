import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Delivery, Erasure, Replay } from '@posthorn/contract'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Customer, customerAt, expectStatus, newCustomer } from '../support/api.ts'
import { findPostgres, type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'

// the server's log shows deadlocks
let server: PostgresServer
beforeAll(async () => (server = await newestPostgres()))
afterAll(async () => await server[Symbol.asyncDispose]())

fault(
  'F61',
  'ten concurrent retries of one delivery send it once: one gets 202, nine get 409',
  async seen => {
    await using place = await newDatabasePlace({ name: 'its own', serverUrl: server.url('postgres') })
    await using receiver = await startReceiver()
    const installation = newInstallation(place)
    await using one = await startService(installation)
    await using other = await startService(installation)
    const customer = await newCustomer(one.url, one.operator)
    const webhook = await customer.newWebhook({ url: receiver.url() })

    const rounds = 8
    await customer.report(rounds)
    const all = await until('all are delivered', async () => {
      const delivered = await customer.deliveries(webhook.id, '&state=delivered')
      return delivered.length === rounds ? delivered : undefined
    })
    receiver.received.splice(0)
    const held: Array<() => void> = []
    // no retry may end before all ten have been requested
    receiver.respondWith((_, response) => {
      held.push(() => response.writeHead(204).end())
      return undefined
    })
    for (const { id } of all) {
      const statuses = await Promise.all(
        Array.from(
          { length: 10 },
          async (_, n) => await retryOnce([one, other][n % 2]?.url ?? '', customer, id),
        ),
      )
      expect(statuses.toSorted((a, b) => a - b)).toEqual([202, ...Array.from({ length: 9 }, () => 409)])
      await until('it is sent', () => held.length > 0)
      for (const answer of held.splice(0)) answer()
      await until(
        'it is delivered again',
        async () => (await readDelivery(customer, id)).state === 'delivered',
      )
    }
    for (const { id } of all) {
      const { attempts = [] } = await readDelivery(customer, id)
      expect(attempts.map(({ trigger }) => trigger)).toEqual(['schedule', 'manual'])
    }
    expect(receiver.received).toHaveLength(rounds)
    for (const service of [one, other]) expect(service.output()).not.toMatch(/failed/)
    expect(deadlocks(server)).toEqual([])
    seen(
      `${rounds} rounds of ten concurrent retries on two processes: ${rounds} × 202, ${rounds * 9} × 409, each sent once`,
    )
  },
)

fault(
  'F61',
  'concurrent retries, replays, erasures and deliveries never deadlock, and every attempt is recorded',
  async seen => {
    await using place = await newDatabasePlace({ name: 'its own', serverUrl: server.url('postgres') })
    await using receiver = await startReceiver(({ sequence, attempt }) =>
      (sequence + attempt) % 3 === 0 ? 500 : 204,
    )
    const installation = newInstallation(place)
    const settings = { POSTHORN_RETRY_BASE_SECONDS: '0.2', POSTHORN_DRAIN_PER_SECOND: '500' }
    await using one = await startService(installation, settings)
    await using other = await startService(installation, settings)
    const customer = await newCustomer(one.url, one.operator)
    const there = customerAt(other.url, customer.accountId, customer.apiKey)
    const webhooks = [
      await customer.newWebhook({ url: receiver.url('/a') }),
      await customer.newWebhook({ url: receiver.url('/b') }),
    ]
    const erased = 'erased-later@example.org'
    const count = 30
    for (const to of [erased, 'kept@example.org'])
      await customer.report(count, { data: { email_id: 'em_1', to: [to] } })
    await receiver.waitForEvents(2 * count)
    const deliveries = (
      await Promise.all(webhooks.map(async ({ id }) => await customer.deliveries(id)))
    ).flat()

    const answers = new Map<number, number>()
    const accepted = new Map<string, number>()
    const retry = async (url: string, { id }: Delivery): Promise<void> => {
      const status = await retryOnce(url, customer, id)
      answers.set(status, (answers.get(status) ?? 0) + 1)
      if (status === 202) accepted.set(id, (accepted.get(id) ?? 0) + 1)
    }
    const retryAll = async (url: string, order: readonly Delivery[]): Promise<void> => {
      for (let n = 0; n < order.length; n += 20)
        await Promise.all(order.slice(n, n + 20).map(async delivery => await retry(url, delivery)))
    }
    const replays = await Promise.all(
      webhooks.map(async ({ id }, n) => await replayAll([customer, there][n] ?? customer, id)),
    )
    const backwards = deliveries.toReversed()
    const retries = Promise.all([
      retryAll(one.url, deliveries),
      retryAll(other.url, deliveries),
      retryAll(one.url, backwards),
      retryAll(other.url, backwards),
    ])
    await customer.report(count)
    const erasure = expectStatus(202, await there.api.post<Erasure>('/v1/erasures', { recipient: erased }))
    await customer.report(count)
    await retries

    await until('the erasure is done', async () => {
      const { body } = await customer.api.get<Erasure>(`/v1/erasures/${erasure.id}`)
      return body.state === 'done'
    })
    for (const { id } of replays) {
      await until('the replay is done', async () => {
        const { body } = await customer.api.get<Replay>(`/v1/replays/${id}`)
        return body.state === 'done'
      })
    }
    const settled = await until('nothing is under way any more', async () => {
      const all = (await Promise.all(webhooks.map(async ({ id }) => await customer.deliveries(id)))).flat()
      return all.every(({ state }) => state === 'delivered' || state === 'exhausted') ? all : undefined
    })
    expect(settled).toHaveLength(2 * 4 * count)
    expect([...answers.keys()].filter(status => status !== 202 && status !== 409)).toEqual([])
    for (const { id } of settled) {
      const { attempts = [], event, attempt_count } = await readDelivery(customer, id)
      expect([id, attempt_count]).toEqual([id, sentOf(receiver, id)])
      expect([id, attempts.length]).toEqual([id, attempt_count])
      const manual = attempts.filter(({ trigger }) => trigger === 'manual').length
      // an erasure cancels requested retries that were not sent yet
      if (event.to[0] !== 'erased@erased.invalid') expect([id, manual]).toEqual([id, accepted.get(id) ?? 0])
    }
    for (const service of [one, other]) expect(service.output()).not.toMatch(/failed/)
    expect(deadlocks(server)).toEqual([])
    seen(
      `${answers.get(202)} retries and 2 replays during an erasure and ${2 * 4 * count} deliveries, no deadlock`,
    )
  },
)

async function newestPostgres(): Promise<PostgresServer> {
  const [installed] = findPostgres().toReversed()
  if (installed === undefined) throw new Error('no PostgreSQL on this machine: npm ci brings one')
  return await startPostgres(installed)
}

/** Requests a retry once and does not repeat it after a 503. */
async function retryOnce(url: string, { apiKey }: Customer, deliveryId: string): Promise<number> {
  const response = await fetch(`${url}/v1/deliveries/${deliveryId}/retry`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
  })
  await response.arrayBuffer()
  return response.status
}

async function replayAll(customer: Customer, webhookId: string): Promise<Replay> {
  return expectStatus(
    202,
    await customer.api.post<Replay>(`/v1/webhooks/${webhookId}/replays`, {
      since: '2020-01-01T00:00:00Z',
      states: ['delivered', 'failed', 'exhausted'],
    }),
  )
}

async function readDelivery(customer: Customer, id: string): Promise<Delivery> {
  return expectStatus(200, await customer.api.get<Delivery>(`/v1/deliveries/${id}`))
}

function sentOf(receiver: Receiver, deliveryId: string): number {
  return receiver.received.filter(({ headers }) => headers['x-service-delivery-id'] === deliveryId).length
}

function deadlocks(server: PostgresServer): string[] {
  return readFileSync(join(server.folder, 'log'), 'utf8')
    .split('\n')
    .filter(line => line.includes('deadlock detected'))
}

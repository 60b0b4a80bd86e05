import type { Stats } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '../faults/reconcile.ts'
import { expectStatus } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { killAt, killPointNamed } from './kill-points.ts'
import { type Services, startServices } from './services.ts'
import { startTwoShards, type TwoShards } from './two-shards.ts'

describe('accounts move', () => {
  let shards: TwoShards
  let services: Services
  beforeAll(async () => {
    shards = await startTwoShards()
    services = await startServices(shards)
  })
  afterAll(async () => {
    await services[Symbol.asyncDispose]()
    await shards[Symbol.asyncDispose]()
  })

  test('under traffic, no event is lost or sent twice, and sequences have no gap', async () => {
    await using receiver = await startReceiver()
    const customer = await services.newCustomer()
    await customer.newWebhook({ url: receiver.url() })
    const traffic = services.startTraffic(customer)
    await receiver.waitForEvents(100)

    const moved = await shards.run(['accounts', 'move', customer.accountId, '--to', '1', '--json'])
    expect(moved).toMatchObject({ code: 0, stderr: '' })
    const before = traffic.accepted.length
    await until('the other shard accepts', () => traffic.accepted.length > before + 100)
    await traffic.stop()

    const { events, duplicates } = await reconcile(customer, receiver, { accepted: traffic.accepted })
    expect(duplicates).toBe(0)
    expect(await shards.ownersOf(customer.accountId)).toEqual([1])
    await until('all are counted', async () => {
      const { total, outcomes } = expectStatus(200, await customer.api.get<Stats>('/v1/stats'))
      return total.delivered === events && outcomes?.total.delivered === events
    })
  })

  test('it waits for an attempt in flight, and its result moves along', async () => {
    await using receiver = await startReceiver((one, response) => {
      if (one.attempt === 1) setTimeout(() => response.writeHead(204).end(), 2_000)
      return undefined
    })
    const customer = await services.newCustomer()
    const webhook = await customer.newWebhook({ url: receiver.url() })
    await customer.report(1)
    await until('the attempt is in flight', () => receiver.received.length === 1)

    expect(await shards.run(['accounts', 'move', customer.accountId, '--to', '1'])).toMatchObject({ code: 0 })
    expect(await customer.deliveries(webhook.id)).toMatchObject([{ state: 'delivered', attempt_count: 1 }])
    expect(receiver.received.length).toBe(1)
  })

  test('killed before the other shard commits, it is finished by a repeat; what waits is sent there', async () => {
    await using receiver = await startReceiver(() => 500)
    const customer = await services.newCustomer()
    const webhook = await customer.newWebhook({ url: receiver.url() })
    await customer.report(3)
    await receiver.waitForEvents(3)
    const move = ['accounts', 'move', customer.accountId, '--to', '1']

    await killAt(shards, move, killPointNamed('the commit on the other shard'))
    expect(await shards.ownersOf(customer.accountId)).toEqual([])
    receiver.respondWith(() => 204)
    expect(await shards.run(move)).toMatchObject({ code: 0 })
    expect(await shards.ownersOf(customer.accountId)).toEqual([1])
    for (const { id } of await customer.deliveries(webhook.id, '&state=failed'))
      expect((await customer.api.post(`/v1/deliveries/${id}/retry`)).status).toBe(202)
    await until('all are delivered', async () => {
      return (await customer.deliveries(webhook.id, '&state=delivered')).length === 3
    })
    expect(await customer.report(1)).toHaveLength(1)
    await until('the next one has the next number', () => receiver.received.some(one => one.sequence === 4))
  })
})

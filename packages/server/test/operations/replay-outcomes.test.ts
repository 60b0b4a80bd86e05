import type { Replay } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, expectStatus, newCustomer, type Page } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { verbBackends, type DatabasePlace, newDatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'

const since = '2020-01-01T00:00:00Z'

describe.each(verbBackends())('the result of a replay on $name', backend => {
  let place: DatabasePlace
  let service: ServiceProcess
  beforeAll(async () => {
    place = await newDatabasePlace(backend)
    service = await startService(newInstallation(place), {
      POSTHORN_RETRY_BASE_SECONDS: '80000',
      POSTHORN_DRAIN_PER_SECOND: '4',
    })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  })

  const start = async (acme: Customer, webhookId: string): Promise<Replay> =>
    expectStatus(202, await acme.api.post<Replay>(`/v1/webhooks/${webhookId}/replays`, { since }))
  const read = async (acme: Customer, { id }: Replay): Promise<Replay> =>
    expectStatus(200, await acme.api.get<Replay>(`/v1/replays/${id}`))
  const list = async (acme: Customer, query = ''): Promise<Replay[]> =>
    expectStatus(200, await acme.api.get<Page<Replay>>(`/v1/replays${query}`)).data

  test('the owner sees how many were delivered, failed again or are pending, and the time left', async () => {
    const acme = await newCustomer(service.url, service.operator)
    await using receiver = await startReceiver(() => 500)
    const { id } = await acme.newWebhook({ url: receiver.url() })
    await acme.report(20)
    const untilFailed = async (count: number): Promise<void> => {
      await until(`${count} have failed`, async () => {
        return (await acme.deliveries(id, '&state=failed')).length === count
      })
    }
    await untilFailed(20)

    const refused = new Set([3, 7])
    receiver.respondWith(({ sequence }) => (refused.has(sequence) ? 500 : 204))
    const begun = await start(acme, id)
    expect(begun).toMatchObject({ total: 20, done: 0, delivered: 0, failed_again: 0, pending: 0 })
    expect(begun.seconds_left).toBe(5)
    const halfway = await until('it is under way', async () => {
      const now = await read(acme, begun)
      return now.done > 0 && now.state === 'running' ? now : undefined
    })
    expect(halfway.seconds_left).toBe(Math.ceil((20 - halfway.done) / 4))
    const { delivered, failed_again: failed, pending } = halfway
    expect([delivered, failed, pending].reduce((sum, count) => (sum ?? 0) + (count ?? 0), 0)).toBe(
      halfway.done,
    )

    const over = { state: 'done', delivered: 18, failed_again: 2, pending: 0, seconds_left: null }
    await until('it is over', async () => {
      const now = await read(acme, begun)
      return now.state === 'done' && now.delivered === 18
    })
    await untilFailed(2)
    expect(await read(acme, begun)).toMatchObject(over)
    expect(await list(acme)).toMatchObject([{ id: begun.id, ...over }])

    // the numbers follow the deliveries, whatever sends them
    receiver.respondWith(() => 204)
    for (const one of await acme.deliveries(id, '&state=failed')) {
      expectStatus(202, await acme.api.post(`/v1/deliveries/${one.id}/retry`))
    }
    await until('the last two are delivered', async () => (await read(acme, begun)).delivered === 20)
    expect(await read(acme, begun)).toMatchObject({ delivered: 20, failed_again: 0, pending: 0 })
  })

  test('replays of all endpoints, also of a deleted one, are listed newest first, in pages', async () => {
    const acme = await newCustomer(service.url, service.operator)
    const url = 'https://hooks.example.com/'
    const [first, second] = [await acme.newWebhook({ url }), await acme.newWebhook({ url })]
    const ids: string[] = []
    for (const { id } of [first, second, first]) ids.unshift((await start(acme, id)).id)
    expect((await list(acme)).map(one => one.id)).toEqual(ids)
    expect((await list(acme, `?webhook_id=${second.id}`)).map(one => one.id)).toEqual([ids[1]])
    const page = expectStatus(200, await acme.api.get<Page<Replay>>('/v1/replays?limit=2'))
    expect(page.data.map(one => one.id)).toEqual(ids.slice(0, 2))
    const rest = await list(acme, `?limit=2&cursor=${page.next_cursor}`)
    expect(rest.map(one => one.id)).toEqual(ids.slice(2))

    expectStatus(204, await acme.api.delete(`/v1/webhooks/${second.id}`))
    expect((await list(acme, `?webhook_id=${second.id}`)).map(one => one.id)).toEqual([ids[1]])
    const stranger = await newCustomer(service.url, service.operator)
    expect(await list(stranger)).toEqual([])
    expect(await list(stranger, `?webhook_id=${first.id}`)).toEqual([])
  })

  test('a disabled endpoint holds its replay back, and the time left is unknown', async () => {
    const acme = await newCustomer(service.url, service.operator)
    await using receiver = await startReceiver(() => 500)
    const { id } = await acme.newWebhook({ url: receiver.url(), rate_limit_per_second: 2 })
    await acme.report(8)
    await until('all have failed', async () => (await acme.deliveries(id, '&state=failed')).length === 8)
    const begun = await start(acme, id)
    expect(begun.seconds_left).toBe(4)
    const behind = await start(acme, id)
    expect(behind.seconds_left).toBeGreaterThan(4)
    expectStatus(200, await acme.api.patch(`/v1/webhooks/${id}`, { enabled: false }))
    expect(await read(acme, begun)).toMatchObject({ state: 'running', seconds_left: null })
  })
})

import type { Delivery, Replay } from '@posthorn/contract'
import { describe, expect, test } from 'vitest'
import { customerAt, expectStatus, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, verbBackends } from '../support/test-database.ts'
import { until } from '../support/until.ts'

const count = 120

describe.each(verbBackends())('a replay on $name', backend => {
  test('survives kill -9: no delivery is queued twice, and each arrives with its event and sequence number', async () => {
    await using place = await newDatabasePlace(backend)
    await using receiver = await startReceiver()
    const installation = newInstallation(place)
    const settings = {
      POSTHORN_DRAIN_PER_SECOND: '40',
      POSTHORN_LEASE_SECONDS: '4',
      POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '2.5',
    }
    await using first = await startService(installation, settings)
    const customer = await newCustomer(first.url, first.operator)
    const webhook = await customer.newWebhook({ url: receiver.url() })
    await customer.report(count)
    await receiver.waitForEvents(count)
    await until('all are settled', async () => {
      const settled = await customer.deliveries(webhook.id, '&state=delivered')
      return settled.length === count
    })
    const sequences = new Map(receiver.received.map(one => [one.eventId, one.sequence]))
    receiver.received.splice(0)

    const replay = expectStatus(
      202,
      await customer.api.post<Replay>(`/v1/webhooks/${webhook.id}/replays`, {
        since: '2020-01-01T00:00:00Z',
        states: ['delivered'],
      }),
    )
    expect(replay).toMatchObject({ state: 'running', total: count })
    await receiver.waitForEvents(20)
    await first.kill()

    await using second = await startService(installation, settings)
    const later = customerAt(second.url, customer.accountId, customer.apiKey)
    const done = await until('the replay is done', async () => {
      const { body } = await later.api.get<Replay>(`/v1/replays/${replay.id}`)
      return body.state === 'done' ? body : undefined
    })
    expect(done).toMatchObject({ total: count, done: count })
    const settled = await until('all are settled', async () => {
      const all = await later.deliveries(webhook.id, '&state=delivered')
      return all.length === count ? all : undefined
    })
    expect(receiver.counts().size).toBe(count)
    expect(receiver.received.every(one => sequences.get(one.eventId) === one.sequence)).toBe(true)
    // the attempt of the dead process was not written, so each delivery has one replayed attempt
    for (const { id } of settled) {
      const { body } = await later.api.get<Delivery>(`/v1/deliveries/${id}`)
      expect(body.attempts?.map(one => one.trigger)).toEqual(['schedule', 'replay'])
    }
  })
})

describe.each(verbBackends())('a replay on $name', backend => {
  test('by HTTP: a dry run gets 200, a wrong range gets 422, and a replayed failure keeps retrying', async () => {
    await using place = await newDatabasePlace(backend)
    await using receiver = await startReceiver(() => 500)
    await using service = await startService(newInstallation(place), { POSTHORN_RETRY_BASE_SECONDS: '0.001' })
    const customer = await newCustomer(service.url, service.operator)
    const webhook = await customer.newWebhook({ url: receiver.url() })
    await customer.report(1)
    const path = `/v1/webhooks/${webhook.id}/replays`
    await until('it is given up', async () => {
      const given = await customer.deliveries(webhook.id, '&state=exhausted')
      return given.length === 1
    })
    const since = '2020-01-01T00:00:00Z'
    expect(await customer.api.post(path, { since, dry_run: true })).toMatchObject({
      status: 200,
      body: { dry_run: true, count: 1, estimated_seconds: 1 },
    })
    expect(await customer.api.post(path, { since, until: since })).toMatchObject({
      status: 422,
      body: { errors: [{ path: '/until' }] },
    })
    const attempts = receiver.received.length
    receiver.respondWith(() => (receiver.received.length > attempts + 3 ? 204 : 500))
    expectStatus(202, await customer.api.post(path, { since }))
    const [delivery] = await until('it arrives', async () => {
      const all = await customer.deliveries(webhook.id, '&state=delivered')
      return all.length === 1 ? all : undefined
    })
    const { body } = await customer.api.get<Delivery>(`/v1/deliveries/${delivery?.id}`)
    expect(body.attempts?.slice(-4).map(one => one.trigger)).toEqual([
      'replay',
      'schedule',
      'schedule',
      'schedule',
    ])
  })
})

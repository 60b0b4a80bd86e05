import type { Delivery, Webhook } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, expectStatus, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { type DatabasePlace, newDatabasePlace, allBackends } from '../support/test-database.ts'
import { until } from '../support/until.ts'

describe.each(allBackends())('on $name', backend => {
  let place: DatabasePlace
  let service: ServiceProcess
  beforeAll(async () => {
    place = await newDatabasePlace(backend)
    service = await startService(newInstallation(place), {
      POSTHORN_RETRY_BASE_SECONDS: '0.05',
      POSTHORN_RETRY_CAP_SECONDS: '0.1',
      POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '2',
      POSTHORN_LEASE_SECONDS: '5',
    })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  })

  const newAcme = async (): Promise<Customer> => await newCustomer(service.url, service.operator)
  const deliveryOf = async (acme: Customer, webhook: Webhook): Promise<Delivery> => {
    const [delivery] = await acme.deliveries(webhook.id)
    return expectStatus(200, await acme.api.get<Delivery>(`/v1/deliveries/${delivery?.id}`))
  }
  const inState = async (acme: Customer, webhook: Webhook, state: string): Promise<Delivery> =>
    await until(`the delivery is ${state}`, async () => {
      const delivery = await deliveryOf(acme, webhook)
      return delivery.state === state ? delivery : undefined
    })

  test('a failed delivery is retried with the same body until it is delivered', async () => {
    const acme = await newAcme()
    await using receiver = await startReceiver(one => (one.attempt < 3 ? 500 : 200))
    const webhook = await acme.newWebhook({ url: receiver.url() })
    await acme.report(1)
    const delivery = await inState(acme, webhook, 'delivered')

    expect(receiver.received.map(one => one.attempt)).toEqual([1, 2, 3])
    expect(new Set(receiver.received.map(one => one.body.toString())).size).toBe(1)
    expect(new Set(receiver.received.map(one => one.eventId)).size).toBe(1)
    expect(delivery).toMatchObject({ attempt_count: 3, retries_left: 10, next_attempt_at: null })
    expect(
      delivery.attempts?.map(attempt => [attempt.number, attempt.status_code, attempt.error?.code]),
    ).toEqual([
      [1, 500, 'status_not_2xx'],
      [2, 500, 'status_not_2xx'],
      [3, 200, undefined],
    ])
  })

  test('a delivery is exhausted after twelve retries, and a manual retry makes one more attempt', async () => {
    const acme = await newAcme()
    await using receiver = await startReceiver(() => 503)
    const webhook = await acme.newWebhook({ url: receiver.url() })
    await acme.report(1)
    const exhausted = await inState(acme, webhook, 'exhausted')
    expect(exhausted).toMatchObject({ reason: 'retries_used', attempt_count: 13, retries_left: 0 })
    expect(receiver.received.length).toBe(13)

    expectStatus(202, await acme.api.post(`/v1/deliveries/${exhausted.id}/retry`))
    const again = await until('the manual attempt is made', async () => {
      const delivery = await deliveryOf(acme, webhook)
      return delivery.attempt_count === 14 && delivery.state === 'exhausted' ? delivery : undefined
    })
    expect(again.attempts?.at(-1)).toMatchObject({ number: 14, trigger: 'manual', status_code: 503 })

    receiver.respondWith(() => 200)
    expectStatus(202, await acme.api.post(`/v1/deliveries/${exhausted.id}/retry`))
    expect(await inState(acme, webhook, 'delivered')).toMatchObject({ attempt_count: 15, reason: null })
  })

  test('410 disables the endpoint and exhausts the delivery after one attempt', async () => {
    const acme = await newAcme()
    await using receiver = await startReceiver(() => 410)
    const webhook = await acme.newWebhook({ url: receiver.url() })
    await acme.report(1)
    await until(
      'the delivery is given up',
      async () => (await acme.deliveries(webhook.id))[0]?.state === 'exhausted',
    )
    expect((await acme.deliveries(webhook.id))[0]).toMatchObject({
      reason: 'endpoint_gone',
      attempt_count: 1,
    })
    expect((await acme.api.get<Webhook>(`/v1/webhooks/${webhook.id}`)).body).toMatchObject({
      status: 'disabled',
      disabled_reason: 'gone',
    })
  })

  test('events for a disabled endpoint stay pending, and are sent once it is enabled', async () => {
    const acme = await newAcme()
    await using receiver = await startReceiver()
    await using control = await startReceiver()
    const webhook = await acme.newWebhook({ url: receiver.url(), enabled: false })
    await acme.newWebhook({ url: control.url() })
    await acme.report(5)
    await control.waitForEvents(5)
    expect((await acme.deliveries(webhook.id)).map(one => [one.state, one.next_attempt_at])).toEqual(
      Array.from({ length: 5 }, () => ['pending', null]),
    )
    expect(receiver.received).toEqual([])

    expectStatus(200, await acme.api.patch(`/v1/webhooks/${webhook.id}`, { enabled: true }))
    await receiver.waitForEvents(5)
    expect(receiver.received.map(one => one.sequence).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5])
  })

  test('a deleted endpoint receives nothing more, and its pending delivery becomes exhausted', async () => {
    const acme = await newAcme()
    await using receiver = await startReceiver(() => 500)
    const webhook = await acme.newWebhook({ url: receiver.url() })
    await acme.report(1)
    await until('it was tried', () => receiver.received.length > 0)
    const [delivery] = await acme.deliveries(webhook.id)
    expectStatus(204, await acme.api.delete(`/v1/webhooks/${webhook.id}`))
    const sent = receiver.received.length
    const last = await until('it is settled', async () => {
      const { body } = await acme.api.get<Delivery>(`/v1/deliveries/${delivery?.id}`)
      return body.state === 'exhausted' ? body : undefined
    })
    expect(last.reason).toBe('endpoint_deleted')
    expect(receiver.received.length).toBe(sent)
  })

  test('Retry-After delays the next attempt', async () => {
    const acme = await newAcme()
    await using receiver = await startReceiver((one, response) => {
      if (one.attempt > 1) return 200
      response.writeHead(429, { 'retry-after': '1' }).end()
      return undefined
    })
    const webhook = await acme.newWebhook({ url: receiver.url() })
    await acme.report(1)
    await inState(acme, webhook, 'delivered')
    const [first, second] = receiver.received
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(990)
  })

  test('an endpoint that never answers does not hold up another', async () => {
    const acme = await newAcme()
    await using hanging = await startReceiver(() => undefined)
    await using healthy = await startReceiver()
    for (let n = 0; n < 20; n++) await acme.newWebhook({ url: hanging.url(`/${n}`) })
    await acme.newWebhook({ url: healthy.url() })
    await acme.report(100)
    await healthy.waitForEvents(100)
    expect(hanging.received.length).toBeGreaterThan(0)
  })

  test('a repeated outcome_id is stored once, and the response names the first event', async () => {
    const acme = await newAcme()
    const outcome = {
      type: 'email.delivered',
      outcome_id: 'log:1',
      data: { email_id: 'em_x', to: ['a@example.org'] },
    }
    const first = expectStatus(202, await acme.api.post<{ events: string[] }>('/v1/outcomes', outcome))
    const again = expectStatus(202, await acme.api.post('/v1/outcomes', [outcome, outcome]))
    expect(again).toEqual({
      accepted: 0,
      events: [],
      ignored: [0, 1].map(index => ({ index, reason: 'duplicate', event_id: first.events[0] })),
    })
    const both = expectStatus(
      202,
      await acme.api.post<{ accepted: number; ignored: unknown[] }>(
        '/v1/outcomes',
        ['log:2', 'log:2'].map(outcome_id => ({ ...outcome, outcome_id })),
      ),
    )
    expect([both.accepted, both.ignored.length]).toEqual([1, 1])
  })

  test('keys that the receiver reports as verified are credited', async () => {
    const acme = await newAcme()
    await using receiver = await startReceiver((_, response) => {
      response.writeHead(204, { 'x-service-verified': 'v1,v1s' }).end()
      return undefined
    })
    const webhook = await acme.newWebhook({ url: receiver.url() })
    expectStatus(201, await acme.api.post(`/v1/webhooks/${webhook.id}/signing-keys/stage`))
    await acme.report(3)
    const keys = await until('both keys are credited', async () => {
      const found = await acme.signingKeys(webhook.id)
      return found.every(key => key.verified_count === 3) ? found : undefined
    })
    expect(keys.map(key => key.state).sort()).toEqual(['primary', 'staged'])
  })
})

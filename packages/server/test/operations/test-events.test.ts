import type { Delivery, Event, TestEvent, Webhook } from '@posthorn/contract'
import { verifyWebhook } from '@posthorn/receiver'
import { describe, expect, test } from 'vitest'
import { expectStatus, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { verbBackends, newDatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'

describe.each(verbBackends())('test events on $name', backend => {
  test('a test event arrives signed, marked and numbered, only at the endpoint that asked for it', async () => {
    await using place = await newDatabasePlace(backend)
    await using receiver = await startReceiver()
    await using service = await startService(newInstallation(place))
    const customer = await newCustomer(service.url, service.operator)
    const webhook = await customer.newWebhook({ url: receiver.url('/one'), events: ['email.delivered'] })
    await customer.newWebhook({ url: receiver.url('/other') })

    for (const type of ['email.delivered', 'email.bounced', 'email.failed', 'email.unsubscribed']) {
      const made = expectStatus(
        202,
        await customer.api.post<TestEvent>(`/v1/webhooks/${webhook.id}/test`, { type }),
      )
      const delivery = await until('it is delivered', async () => {
        const { body } = await customer.api.get<Delivery>(`/v1/deliveries/${made.delivery_id}`)
        return body.state === 'delivered' ? body : undefined
      })
      expect(delivery.attempts?.map(one => one.trigger)).toEqual(['test'])
      expect(delivery.event).toMatchObject({ type, email_id: expect.stringMatching(/^em_test/) })
      const event = expectStatus(200, await customer.api.get<Event>(`/v1/events/${made.event_id}`))
      expect(event.deliveries?.map(one => one.webhook_id)).toEqual([webhook.id])
    }
    expect(receiver.received.map(one => [one.path, one.sequence])).toEqual([
      ['/one', 1],
      ['/one', 2],
      ['/one', 3],
      ['/one', 4],
    ])
    const [first] = receiver.received
    if (first === undefined) throw new Error('nothing arrived')
    const event = await verifyWebhook(first.body, first.signature, webhook.secret)
    expect(event.data['email_id']).toMatch(/^em_test/)

    // ordinary events continue with the next number
    await customer.report(1)
    await until('it arrives', () => receiver.received.some(one => one.path === '/one' && one.sequence === 5))
  })

  test('a failed test event is retried like any other', async () => {
    await using place = await newDatabasePlace(backend)
    await using receiver = await startReceiver(one => (one.attempt === 1 ? 500 : 204))
    await using service = await startService(newInstallation(place), {
      POSTHORN_RETRY_BASE_SECONDS: '0.05',
    })
    const customer = await newCustomer(service.url, service.operator)
    const webhook = await customer.newWebhook({ url: receiver.url() })
    const made = expectStatus(
      202,
      await customer.api.post<TestEvent>(`/v1/webhooks/${webhook.id}/test`, { type: 'email.delivered' }),
    )
    const delivery = await until('it is delivered', async () => {
      const { body } = await customer.api.get<Delivery>(`/v1/deliveries/${made.delivery_id}`)
      return body.state === 'delivered' ? body : undefined
    })
    expect(delivery.attempts?.map(one => [one.trigger, one.outcome])).toEqual([
      ['test', 'failed'],
      ['schedule', 'delivered'],
    ])
  })

  test('a disabled endpoint gets no test event, and an unknown type is rejected', async () => {
    await using place = await newDatabasePlace(backend)
    await using service = await startService(newInstallation(place))
    const customer = await newCustomer(service.url, service.operator)
    const webhook: Webhook = await customer.newWebhook({ url: 'https://hooks.example.com/', enabled: false })
    const path = `/v1/webhooks/${webhook.id}/test`
    expect(await customer.api.post(path, { type: 'email.delivered' })).toMatchObject({
      status: 409,
      body: { code: 'endpoint_disabled' },
    })
    expect(await customer.api.post(path, { type: 'email.opened' })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ path: '/type' }] },
    })
    expect(await customer.deliveries(webhook.id)).toEqual([])
  })
})

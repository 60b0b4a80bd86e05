import type { Delivery, Erasure } from '@posthorn/contract'
import { describe, expect, test } from 'vitest'
import { expectStatus, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { verbBackends, newDatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'

describe.each(verbBackends())('an erasure on $name', backend => {
  test('by HTTP: a customer or the operator requests it, a failed delivery is not retried, the receipt counts it', async () => {
    await using place = await newDatabasePlace(backend)
    await using receiver = await startReceiver((_, response) => {
      response.writeHead(500).end('no room for ann@example.org')
      return undefined
    })
    // no automatic retry may run between the failure and the erasure
    await using service = await startService(newInstallation(place), {
      POSTHORN_RETRY_BASE_SECONDS: '80000',
    })
    const customer = await newCustomer(service.url, service.operator)
    const webhook = await customer.newWebhook({ url: receiver.url() })
    const mail = { type: 'email.delivered', data: { email_id: 'em_ann', to: ['ann@example.org'] } }
    expectStatus(202, await customer.api.post('/v1/outcomes', mail))
    const [failed] = await until('it has failed', async () => {
      const all = await customer.deliveries(webhook.id, '&state=failed')
      return all.length === 1 ? all : undefined
    })

    const made = expectStatus(
      202,
      await customer.api.post<Erasure>('/v1/erasures', { recipient: 'ann@example.org' }),
    )
    const receipt = await until('it is done', async () => {
      const { body } = await customer.api.get<Erasure>(`/v1/erasures/${made.id}`)
      return body.state === 'done' ? body : undefined
    })
    expect(receipt).toMatchObject({ events: 1, deliveries: 1, attempts: 1 })
    const { body } = await customer.api.get<Delivery>(`/v1/deliveries/${failed?.id}`)
    expect(body).toMatchObject({
      state: 'exhausted',
      reason: 'erased',
      event: { to: ['erased@erased.invalid'] },
    })
    expect(JSON.stringify(body)).not.toContain('ann@example.org')
    expect(await customer.api.post(`/v1/deliveries/${failed?.id}/retry`)).toMatchObject({
      status: 409,
      body: { code: 'delivery_erased' },
    })

    // the operator must name the account, and a key always means its own account
    const recipient = 'bob@example.org'
    const { accountId: account_id } = customer
    expect((await service.operator.post('/v1/erasures', { recipient, account_id })).status).toBe(202)
    expect(await service.operator.post('/v1/erasures', { recipient })).toMatchObject({
      status: 422,
      body: { errors: [{ path: '/account_id' }] },
    })
    const stranger = await newCustomer(service.url, service.operator)
    expect(await stranger.api.post('/v1/erasures', { recipient, account_id })).toMatchObject({
      status: 403,
      body: { code: 'account_mismatch' },
    })
    expect((await stranger.api.get(`/v1/erasures/${made.id}`)).status).toBe(404)
    expect((await service.operator.get(`/v1/erasures/${made.id}`)).status).toBe(200)
  })
})

import type { Webhook } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, expectStatus, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { verbBackends, type DatabasePlace, newDatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'

describe.each(verbBackends())('headers and rate limits of endpoints on $name', backend => {
  let place: DatabasePlace
  let service: ServiceProcess
  let acme: Customer
  beforeAll(async () => {
    place = await newDatabasePlace(backend)
    service = await startService(newInstallation(place))
    acme = await newCustomer(service.url, service.operator)
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  })

  test('extra headers are sent as they were last set, and no response shows their values', async () => {
    await using receiver = await startReceiver()
    const created = await acme.newWebhook({
      url: receiver.url(),
      headers: { 'X-Tenant': 'canary-one', Authorization: 'Bearer canary-two' },
    })
    await acme.report(1)
    await receiver.waitForEvents(1)
    expect(receiver.received[0]?.headers).toMatchObject({
      'x-tenant': 'canary-one',
      authorization: 'Bearer canary-two',
    })
    const path = `/v1/webhooks/${created.id}`
    const changed = expectStatus(
      200,
      await acme.api.patch<Webhook>(path, { headers: { 'X-Tenant': 'canary-three', Authorization: null } }),
    )
    await acme.report(1)
    await receiver.waitForEvents(2)
    expect(receiver.received[1]?.headers['x-tenant']).toBe('canary-three')
    expect(receiver.received[1]?.headers.authorization).toBeUndefined()

    const answers = [
      created,
      changed,
      (await acme.api.get(path)).body,
      (await acme.api.get('/v1/audit-log')).body,
    ]
    expect(JSON.stringify(answers)).not.toContain('canary')
    expect(changed.headers).toEqual({ 'X-Tenant': '***' })
    expect(service.output()).not.toContain('canary')
    expectStatus(204, await acme.api.delete(path))
  })

  test.each([
    'Host',
    'content-type',
    'Content-Length',
    'Transfer-Encoding',
    'Connection',
    'User-Agent',
    'X-Service-Signature',
    'x-service-event-id',
    'X-Service-Anything',
    'X_Service_Signature',
    'X_Forwarded_For',
    'True-Client-IP',
    'Bad Name',
    'X-Ünicode',
  ])('the header %s cannot be set', async name => {
    const input = { url: 'http://127.0.0.1:9/', headers: { [name]: 'x' } }
    const refused = await acme.api.post<{ code: string; errors: { path: string }[] }>('/v1/webhooks', input)
    expect([refused.status, refused.body.code]).toEqual([422, 'validation_failed'])
    expect(refused.body.errors[0]?.path).toMatch(/^\/headers/)
  })

  test.each(['line\r\nbreak', 'nul\0', 'x'.repeat(1_025)])(
    'a header value like %j is rejected',
    async value => {
      const input = { url: 'http://127.0.0.1:9/', headers: { 'X-A': value } }
      expect((await acme.api.post('/v1/webhooks', input)).status).toBe(422)
    },
  )

  test('a rate limit takes effect at once when it is set, changed or removed', async () => {
    await using receiver = await startReceiver()
    const webhook = await acme.newWebhook({ url: receiver.url(), rate_limit_per_second: 5 })
    const path = `/v1/webhooks/${webhook.id}`
    const secondsFor = async (events: number): Promise<number> => {
      const before = receiver.counts().size
      const fromMs = Date.now()
      await acme.report(events)
      await receiver.waitForEvents(before + events)
      return (Date.now() - fromMs) / 1_000
    }
    // five at once, then five per second
    expect(await secondsFor(15)).toBeGreaterThan(1.5)
    expectStatus(200, await acme.api.patch<Webhook>(path, { rate_limit_per_second: 1_000 }))
    // at five per second it would take 39 s
    expect(await secondsFor(200)).toBeLessThan(35)
    const unlimited = await acme.api.patch<Webhook>(path, { rate_limit_per_second: null })
    expect(expectStatus(200, unlimited).rate_limit_per_second).toBeNull()
    await secondsFor(15)
    expectStatus(204, await acme.api.delete(path))
  })

  test('an endpoint is tried again by its own timings, and its attempts end at its own timeout', async () => {
    await using receiver = await startReceiver(() => undefined)
    const { id } = await acme.newWebhook({
      url: receiver.url(),
      retry_base_seconds: 1,
      retry_cap_seconds: 1,
      attempt_timeout_seconds: 1,
    })
    await acme.report(1)
    // with the defaults, the first attempt would take 15 s, and the first delay one minute on average
    await until('it is tried three times', () => receiver.received.length >= 3, 14_000)
    const [delivery] = await acme.deliveries(id)
    expect(delivery?.last_error_code).toBe('response_timeout')
    expectStatus(204, await acme.api.delete(`/v1/webhooks/${id}`))
  })

  test('a timing outside the operator’s bounds is rejected, and the error names them', async () => {
    const { id } = await acme.newWebhook({ url: 'http://127.0.0.1:9/' })
    const refused = await acme.api.patch<{ code: string; errors: object[] }>(`/v1/webhooks/${id}`, {
      attempt_timeout_seconds: 16,
    })
    expect([refused.status, refused.body.code]).toEqual([422, 'validation_failed'])
    const message = 'must be from 1 to 15 seconds, or null for the default'
    expect(refused.body.errors).toEqual([{ path: '/attempt_timeout_seconds', message }])
  })

  test.each([0, -1, 1.5, '5', 1_000_001])('a rate limit of %j is rejected', async rate_limit_per_second => {
    const input = { url: 'http://127.0.0.1:9/', rate_limit_per_second }
    expect((await acme.api.post('/v1/webhooks', input)).status).toBe(422)
  })
})

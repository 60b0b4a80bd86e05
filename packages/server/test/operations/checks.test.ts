import type { EndpointCheck, Webhook } from '@posthorn/contract'
import { verifyWebhook } from '@posthorn/receiver'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, expectStatus, newCustomer } from '../support/api.ts'
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { verbBackends, type DatabasePlace, newDatabasePlace } from '../support/test-database.ts'

/** A receiver that verifies before it answers, like our examples. */
async function startVerifying(secretOf: () => string): Promise<Receiver> {
  return await startReceiver(({ body, signature }, response) => {
    verifyWebhook(body, signature, secretOf()).then(
      () => response.writeHead(204).end(),
      () => response.writeHead(401).end('bad signature'),
    )
    return undefined
  })
}

describe.each(verbBackends())('checking an endpoint on $name', backend => {
  let place: DatabasePlace
  let service: ServiceProcess
  beforeAll(async () => {
    place = await newDatabasePlace(backend)
    service = await startService(newInstallation(place), { POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '2' })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  })

  const check = async (customer: Customer, webhook: Webhook): Promise<EndpointCheck> =>
    expectStatus(200, await customer.api.post<EndpointCheck>(`/v1/webhooks/${webhook.id}/check`))

  test('an endpoint that verifies passes the check, and the check creates no delivery', async () => {
    let secret = ''
    await using receiver = await startVerifying(() => secret)
    const customer = await newCustomer(service.url, service.operator)
    const webhook = await customer.newWebhook({ url: receiver.url(), headers: { 'x-team': 'mail' } })
    secret = webhook.secret
    expect(await check(customer, webhook)).toEqual({
      ok: true,
      verifies: true,
      phases: {
        dns_ms: expect.any(Number),
        connect_ms: expect.any(Number),
        tls_ms: null,
        first_byte_ms: expect.any(Number),
      },
      findings: [],
    })
    const probes = receiver.received.map(one => JSON.parse(one.body.toString()) as Received['body'] & object)
    expect(probes).toHaveLength(2)
    for (const probe of probes) {
      expect(probe).toMatchObject({
        type: 'email.delivered',
        data: { email_id: expect.stringMatching(/^em_test/), to: ['probe@posthorn.invalid'] },
      })
    }
    expect(receiver.received[0]?.headers).toMatchObject({ 'x-team': 'mail' })
    expect(receiver.received[0]?.headers['x-service-sequence']).toBeUndefined()
    expect(await customer.deliveries(webhook.id)).toEqual([])
    await customer.report(1)
    await receiver.waitForEvents(3)
    expect(receiver.received.at(-1)?.sequence).toBe(1)
  })

  test('accepting a wrong signature is reported as critical, in plain words', async () => {
    await using receiver = await startReceiver()
    const customer = await newCustomer(service.url, service.operator)
    const webhook = await customer.newWebhook({ url: receiver.url() })
    const found = await check(customer, webhook)
    expect(found).toMatchObject({ ok: false, verifies: false })
    expect(found.findings).toEqual([
      {
        code: 'accepts_wrong_signature',
        severity: 'critical',
        message: expect.stringContaining('Anyone who knows the URL can send it events.'),
      },
    ])
  })

  test('an endpoint that rejects everything, redirects, returns 410 or is unreachable gets the matching finding', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const codes = async (url: string): Promise<[boolean, boolean | null, string[]]> => {
      const { ok, verifies, findings } = await check(customer, await customer.newWebhook({ url }))
      return [ok, verifies, findings.map(finding => finding.code)]
    }
    await using refusing = await startReceiver(() => 401)
    expect(await codes(refusing.url())).toEqual([false, null, ['refuses_right_signature']])
    await using moved = await startReceiver((_, response) => {
      response.writeHead(302, { location: 'https://elsewhere.example.com/' }).end()
      return undefined
    })
    expect(await codes(moved.url())).toEqual([false, null, ['redirect_refused']])
    await using gone = await startReceiver(() => 410)
    expect(await codes(gone.url())).toEqual([false, null, ['status_not_2xx']])
    const closed = await startReceiver()
    const nobody = closed.url()
    await closed[Symbol.asyncDispose]()
    expect(await codes(nobody)).toEqual([false, null, ['connect_refused']])
    // nothing counted as a failure of the endpoint
    const { body } = await customer.api.get<{ data: Webhook[] }>('/v1/webhooks')
    expect(body.data.map(one => one.status)).toEqual(['enabled', 'enabled', 'enabled', 'enabled'])
  })

  test('an account has ten checks a minute: the eleventh gets 429 with Retry-After, another account is unaffected', async () => {
    await using receiver = await startReceiver()
    const customer = await newCustomer(service.url, service.operator)
    const webhook = await customer.newWebhook({ url: receiver.url() })
    for (let n = 0; n < 10; n++) await check(customer, webhook)
    const refused = await customer.api.post(`/v1/webhooks/${webhook.id}/check`)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('ratelimit-remaining')).toBe('0')
    expect(receiver.received).toHaveLength(20)
    const other = await newCustomer(service.url, service.operator)
    await check(other, await other.newWebhook({ url: receiver.url() }))
  })

  test('a check with an Idempotency-Key runs once, and other requests are answered while the receiver is slow', async () => {
    const waiting: Array<() => void> = []
    await using receiver = await startReceiver((_, response) => {
      waiting.push(() => response.writeHead(204).end())
      return undefined
    })
    const customer = await newCustomer(service.url, service.operator)
    const webhook = await customer.newWebhook({ url: receiver.url() })
    const path = `/v1/webhooks/${webhook.id}/check`
    const key = { 'idempotency-key': 'check-1' }
    const first = customer.api.post<EndpointCheck>(path, undefined, key)
    // meanwhile the service answers other requests, also on the embedded database
    while (receiver.received.length === 0) expectStatus(200, await customer.api.get('/v1/webhooks'))
    receiver.respondWith(() => 204)
    for (const answer of waiting.splice(0)) answer()
    const made = expectStatus(200, await first)
    const again = await customer.api.post<EndpointCheck>(path, undefined, key)
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([made, 'true'])
    expect(receiver.received).toHaveLength(2)
  })
})

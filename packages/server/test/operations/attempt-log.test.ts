import type { Delivery } from '@posthorn/contract'
import { describe, expect, test } from 'vitest'
import { expectStatus, newCustomer } from '../support/api.ts'
import { type Respond, startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { verbBackends, newDatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'

describe.each(verbBackends())('the attempt log on $name', backend => {
  test('shows each request as it was sent, with its signature but without secrets, and the response', async () => {
    await using place = await newDatabasePlace(backend)
    const respond: Respond = ({ attempt }, response) => {
      if (attempt === 1) response.writeHead(503, { 'x-why': 'maintenance' }).end('b'.repeat(9_000))
      else response.writeHead(200, { 'x-service-verified': 'v1' }).end('a'.repeat(1_000))
      return undefined
    }
    await using receiver = await startReceiver(respond)
    await using service = await startService(newInstallation(place), { POSTHORN_RETRY_BASE_SECONDS: '0.01' })
    const customer = await newCustomer(service.url, service.operator)
    const webhook = await customer.newWebhook({
      url: receiver.url(),
      headers: { 'X-Team': 'canary-4711', Authorization: 'Bearer canary-4711' },
    })
    await customer.report(1)
    const [found] = await until('it is delivered', async () => {
      const all = await customer.deliveries(webhook.id, '&state=delivered')
      return all.length === 1 ? all : undefined
    })
    // a later change of the endpoint does not change the record
    await customer.api.patch(`/v1/webhooks/${webhook.id}`, { headers: { 'x-team': null } })
    const delivery = expectStatus(200, await customer.api.get<Delivery>(`/v1/deliveries/${found?.id}`))
    const [failed, succeeded] = delivery.attempts ?? []

    for (const [index, shown] of (delivery.attempts ?? []).entries()) {
      const sent = receiver.received[index]?.headers ?? {}
      for (const [name, value] of Object.entries(shown.request_headers ?? {})) {
        if (value === '***') expect(sent[name.toLowerCase()]).toContain('canary-4711')
        else expect(sent[name.toLowerCase()]).toBe(value)
      }
      // all headers except those of the connection
      const own = Object.keys(sent).filter(name => !['host', 'connection', 'content-length'].includes(name))
      expect(
        Object.keys(shown.request_headers ?? {})
          .map(name => name.toLowerCase())
          .toSorted(),
      ).toEqual(own.toSorted())
    }
    expect(JSON.stringify(delivery)).not.toContain('canary-4711')
    expect(failed).toMatchObject({
      number: 1,
      outcome: 'failed',
      trigger: 'schedule',
      status_code: 503,
      error: { code: 'status_not_2xx', message: expect.stringContaining('503') },
      response_headers: { 'x-why': 'maintenance' },
      response_body: 'b'.repeat(8 * 1024),
      phases: { connect_ms: expect.any(Number), first_byte_ms: expect.any(Number) },
      duration_ms: expect.any(Number),
      verified_by: null,
    })
    expect(succeeded).toMatchObject({
      outcome: 'delivered',
      verified_by: 'v1',
      response_body: 'a'.repeat(512),
    })
  })
})

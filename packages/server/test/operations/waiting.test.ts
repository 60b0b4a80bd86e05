import type { Delivery, TestEvent, WaitingFor, Webhook } from '@posthorn/contract'
import { describe, expect, test } from 'vitest'
import { type Customer, expectStatus, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, verbBackends } from '../support/test-database.ts'
import { until } from '../support/until.ts'

/** The newest delivery of an endpoint, with its attempts and with all that is counted. */
async function newest({ api }: Customer, webhookId: string): Promise<Delivery> {
  const { data } = expectStatus(
    200,
    await api.get<{ data: Delivery[] }>(`/v1/webhooks/${webhookId}/deliveries?limit=1`),
  )
  return expectStatus(200, await api.get<Delivery>(`/v1/deliveries/${data[0]?.id}`))
}

async function waitsFor(
  customer: Customer,
  webhookId: string,
  reason: WaitingFor['reason'],
): Promise<Delivery & { waiting_for: WaitingFor }> {
  return await until(`the newest delivery waits: ${reason}`, async () => {
    const { waiting_for: waiting, ...delivery } = await newest(customer, webhookId)
    return waiting?.reason === reason ? { ...delivery, waiting_for: waiting } : undefined
  })
}

async function sendTestEvent({ api }: Customer, webhookId: string): Promise<TestEvent> {
  return expectStatus(
    202,
    await api.post<TestEvent>(`/v1/webhooks/${webhookId}/test`, { type: 'email.delivered' }),
  )
}

/** Waits for the test event and returns how many other events arrived before it. */
async function arrivedBefore(
  receiver: Awaited<ReturnType<typeof startReceiver>>,
  { event_id: eventId }: TestEvent,
  attempt = 1,
): Promise<number> {
  return await until('the test event arrives', () => {
    const place = receiver.received.findIndex(one => one.eventId === eventId && one.attempt === attempt)
    return place === -1 ? undefined : place
  })
}

describe.each(verbBackends())('on $name', backend => {
  test('a test event, its retry and its manual retry overtake a backlog of 1,000 at one per second', async () => {
    await using place = await newDatabasePlace(backend)
    let fixed = false
    await using receiver = await startReceiver(one => (isTest(one.body) && !fixed ? 500 : 204))
    await using service = await startService(newInstallation(place), { POSTHORN_RETRY_BASE_SECONDS: '0.5' })
    const customer = await newCustomer(service.url, service.operator)
    const webhook = await customer.newWebhook({ url: receiver.url(), rate_limit_per_second: 1 })
    await customer.report(1_000)
    const last = await waitsFor(customer, webhook.id, 'rate_limit')
    expect(last.waiting_for.ahead).toBeGreaterThan(980)
    expect(last.waiting_for.ahead).toBeLessThan(1_000)
    const leftMs = Date.parse(last.waiting_for.estimated_at ?? '') - Date.now()
    expect(leftMs).toBeGreaterThan(960_000)
    expect(leftMs).toBeLessThan(1_001_000)

    const made = await sendTestEvent(customer, webhook.id)
    expect(await arrivedBefore(receiver, made)).toBeLessThan(10)
    await arrivedBefore(receiver, made, 2)
    fixed = true
    const delivered = await until('the retry succeeds', async () => {
      const { body } = await customer.api.get<Delivery>(`/v1/deliveries/${made.delivery_id}`)
      return body.state === 'delivered' ? body : undefined
    })
    expectStatus(202, await customer.api.post(`/v1/deliveries/${made.delivery_id}/retry`))
    await arrivedBefore(receiver, made, delivered.attempt_count + 1)
    expect(receiver.received.length).toBeLessThan(40)
  })

  test('a test event overtakes the backlog of an endpoint that was enabled again, and drains slowly', async () => {
    await using place = await newDatabasePlace(backend)
    await using receiver = await startReceiver()
    await using service = await startService(newInstallation(place), { POSTHORN_DRAIN_PER_SECOND: '1' })
    const customer = await newCustomer(service.url, service.operator)
    const webhook = await customer.newWebhook({ url: receiver.url(), enabled: false })
    await customer.report(200)
    const disabled = await waitsFor(customer, webhook.id, 'disabled')
    expect(disabled).toMatchObject({
      next_attempt_at: null,
      waiting_for: { ahead: null, estimated_at: null },
    })

    expectStatus(200, await customer.api.patch<Webhook>(`/v1/webhooks/${webhook.id}`, { enabled: true }))
    const draining = await waitsFor(customer, webhook.id, 'drain')
    expect(draining.waiting_for.ahead).toBeGreaterThan(180)
    expect(draining.waiting_for.estimated_at).not.toBeNull()
    expect(await arrivedBefore(receiver, await sendTestEvent(customer, webhook.id))).toBeLessThan(20)
  })

  test('a test event overtakes the backlog of a receiver that is slow', async () => {
    await using place = await newDatabasePlace(backend)
    const answers: Array<() => void> = []
    await using receiver = await startReceiver((_, response) => {
      answers.push(() => response.writeHead(204).end())
      return undefined
    })
    await using service = await startService(newInstallation(place), {
      POSTHORN_MAX_IN_FLIGHT_PER_ENDPOINT: '2',
    })
    const customer = await newCustomer(service.url, service.operator)
    const webhook = await customer.newWebhook({ url: receiver.url() })
    await customer.report(30)
    await receiver.waitForEvents(2)
    const last = await waitsFor(customer, webhook.id, 'backlog')
    expect(last.waiting_for).toMatchObject({ ahead: 29, estimated_at: null })
    expect(last.next_attempt_at).toBeNull()

    const made = await sendTestEvent(customer, webhook.id)
    const waiting = expectStatus(
      200,
      await customer.api.get<Delivery>(`/v1/deliveries/${made.delivery_id}`),
    ).waiting_for
    expect(waiting).toMatchObject({ reason: 'backlog', ahead: 2 })
    expect(await waitsFor(customer, webhook.id, 'backlog')).toMatchObject({ waiting_for: { ahead: 2 } })
    receiver.respondWith(() => 204)
    for (const answer of answers) answer()
    expect(await arrivedBefore(receiver, made)).toBeLessThan(6)
  })

  test('a delivery that only needs a free process waits for capacity', async () => {
    await using place = await newDatabasePlace(backend)
    await using receiver = await startReceiver(() => undefined)
    await using service = await startService(newInstallation(place), { POSTHORN_MAX_IN_FLIGHT: '1' })
    const customer = await newCustomer(service.url, service.operator)
    for (let n = 0; n < 8; n++) await customer.newWebhook({ url: receiver.url(`/${n}`) })
    await customer.report(1)
    await until('one is being sent', () => receiver.received.length > 0)
    const { data } = expectStatus(
      200,
      await customer.api.get<{ data: Delivery[] }>('/v1/deliveries?state=pending'),
    )
    const reasons = await until('the others wait', async () => {
      const all = await Promise.all(
        data.map(
          async one => (await customer.api.get<Delivery>(`/v1/deliveries/${one.id}`)).body.waiting_for,
        ),
      )
      return all.some(one => one?.reason === 'capacity') ? all : undefined
    })
    expect(reasons).toContainEqual({ reason: 'capacity', ahead: 0, estimated_at: null })
  })

  test('next_attempt_at is never in the past, in lists and single deliveries, while everything happens at once', async () => {
    await using place = await newDatabasePlace(backend)
    await using receiver = await startReceiver(one => (one.sequence % 2 === 0 ? 500 : 204))
    await using service = await startService(newInstallation(place), {
      POSTHORN_RETRY_BASE_SECONDS: '0.05',
      POSTHORN_RETRY_CAP_SECONDS: '0.4',
    })
    const customer = await newCustomer(service.url, service.operator)
    await customer.newWebhook({ url: receiver.url('/free') })
    await customer.newWebhook({ url: receiver.url('/limited'), rate_limit_per_second: 5 })
    await customer.report(40)
    const seen = new Set<string>()
    const check = (
      { next_attempt_at: next, waiting_for: waiting, state }: Delivery,
      sinceMs: number,
    ): void => {
      seen.add(waiting?.reason ?? state)
      for (const at of [next, waiting?.estimated_at ?? null]) {
        if (at !== null) expect(Date.parse(at)).toBeGreaterThanOrEqual(sinceMs)
      }
      expect(next !== null).toBe(waiting?.reason === 'retry')
    }
    await until('retries and the rate limit were seen', async () => {
      const sinceMs = Date.now()
      const { body } = await customer.api.get<{ data: Delivery[] }>('/v1/deliveries?limit=50')
      for (const one of body.data) check(one, sinceMs)
      const unfinished = body.data.filter(one => one.waiting_for !== null).slice(0, 5)
      for (const { id } of unfinished) {
        const readAtMs = Date.now()
        check((await customer.api.get<Delivery>(`/v1/deliveries/${id}`)).body, readAtMs)
      }
      return ['retry', 'rate_limit', 'delivered'].every(one => seen.has(one))
    })
  })
})

function isTest(body: Buffer): boolean {
  return body.includes('em_test')
}

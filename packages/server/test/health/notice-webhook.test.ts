import type { NoticeWebhookSaved, Webhook } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, expectStatus, newCustomer, type Page } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { verbBackends, type DatabasePlace, newDatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { openNoticeInbox } from './notice-inbox.ts'

const path = '/v1/notice-webhook'

describe.each(verbBackends())('the notice webhook on $name', backend => {
  let place: DatabasePlace
  let service: ServiceProcess
  beforeAll(async () => {
    place = await newDatabasePlace(backend)
    service = await startService(newInstallation(place), {
      POSTHORN_RETRY_BASE_SECONDS: '0.02',
      POSTHORN_RETRY_CAP_SECONDS: '0.05',
    })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  })
  const newAcme = async (maxEndpoints?: number): Promise<Customer> =>
    await newCustomer(service.url, service.operator, maxEndpoints)
  const put = async (acme: Customer, url: string): Promise<NoticeWebhookSaved> =>
    expectStatus(200, await acme.api.put<NoticeWebhookSaved>(path, { url }))

  test('shows its secret only in the response that creates it', async () => {
    const acme = await newAcme()
    expect((await acme.api.get(path)).status).toBe(404)
    const created = await put(acme, 'http://127.0.0.1:9/first')
    expect(created.secret).toMatch(/^whsec_[0-9A-Za-z]{44}$/)
    const changed = await put(acme, 'http://127.0.0.1:9/second')
    expect(changed).toMatchObject({ secret: null, secret_prefix: created.secret_prefix })
    const { secret: _, ...shown } = changed
    expect((await acme.api.get(path)).body).toEqual(shown)
  })

  test('is removed by DELETE, and the next PUT creates another secret', async () => {
    const acme = await newAcme()
    const first = await put(acme, 'http://127.0.0.1:9/')
    expectStatus(204, await acme.api.delete(path))
    expect((await acme.api.delete(path)).status).toBe(404)
    expect((await acme.api.get(path)).status).toBe(404)
    const second = await put(acme, 'http://127.0.0.1:9/')
    expect(second.secret).not.toBeNull()
    expect(second.secret).not.toBe(first.secret)
  })

  test('is created once by many concurrent PUTs', async () => {
    const acme = await newAcme()
    const saved = await Promise.all(
      Array.from({ length: 10 }, async () => await put(acme, 'http://127.0.0.1:9/')),
    )
    expect(saved.filter(one => one.secret !== null)).toHaveLength(1)
  })

  test('does not count towards the endpoint limit and is not listed as an endpoint', async () => {
    const acme = await newAcme(1)
    await put(acme, 'http://127.0.0.1:9/')
    const webhook = await acme.newWebhook({ url: 'http://127.0.0.1:9/' })
    const { data } = expectStatus(200, await acme.api.get<Page<Webhook>>('/v1/webhooks'))
    expect(data.map(one => one.id)).toEqual([webhook.id])
  })

  test('rejects forbidden URLs like every endpoint', async () => {
    const acme = await newAcme()
    for (const url of [
      'http://169.254.169.254/latest',
      'ftp://a.example/',
      'https://u:p@a.example/',
      'nonsense',
    ]) {
      expect((await acme.api.put<{ code: string }>(path, { url })).body.code, url).toBe('url_not_allowed')
    }
  })

  test('receives no email events, and is signed, retried and numbered like every endpoint', async () => {
    const acme = await newAcme()
    await using notices = await startReceiver(one => (one.attempt < 3 ? 500 : 204))
    await using receiver = await startReceiver(() => 410)
    await put(acme, notices.url())
    await acme.newWebhook({ url: receiver.url() })
    await acme.report(1)
    await until('the notice was tried three times', () => notices.received.length === 3)
    expect(notices.received.map(one => [one.attempt, one.sequence])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ])
    expect(new Set(notices.received.map(one => one.body.toString())).size).toBe(1)
    expect(JSON.parse(notices.received[0]?.body.toString() ?? '')).toMatchObject({ type: 'webhook.disabled' })
  })

  test('does not let its deliveries be read or retried as email deliveries', async () => {
    const acme = await newAcme()
    await using inbox = await openNoticeInbox(acme)
    await using receiver = await startReceiver(() => 410)
    await acme.newWebhook({ url: receiver.url() })
    await acme.report(1)
    await inbox.waitFor('webhook.disabled')
    const [delivery] = inbox.deliveryIds()
    expect((await acme.api.get(`/v1/deliveries/${delivery}`)).status).toBe(404)
    expect((await acme.api.post(`/v1/deliveries/${delivery}/retry`)).status).toBe(404)
  })

  test('is not accessible to the operator and accepts no event filter', async () => {
    const acme = await newAcme()
    expect((await service.operator.get(path)).status).toBe(403)
    expect((await service.operator.put(path, { url: 'http://127.0.0.1:9/' })).status).toBe(403)
    expect((await acme.api.put(path, { url: 'http://127.0.0.1:9/', events: [] })).status).toBe(422)
  })
})

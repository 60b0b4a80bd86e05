import type { WebhookHealth } from '@posthorn/contract'
import { expect } from 'vitest'
import { openNoticeInbox } from '../health/notice-inbox.ts'
import { expectStatus, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'

fault(
  'F35',
  'deliveries in flight at a 410 are counted, reported with advice, and can be replayed',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    // the delivery that got 500 is due again within a second, whatever the jitter is
    await using service = await startService(newInstallation(place), { POSTHORN_RETRY_BASE_SECONDS: '1' })
    const customer = await newCustomer(service.url, service.operator)
    await using inbox = await openNoticeInbox(customer)
    const underWay = 20
    const answers: Array<(status: number) => void> = []
    await using receiver = await startReceiver((_, response) => {
      answers.push(status => response.writeHead(status).end())
      return undefined
    })
    const webhook = await customer.newWebhook({ url: receiver.url() })
    await customer.report(underWay)
    await until('all are under way', () => answers.length === underWay)
    const readHealth = async (): Promise<WebhookHealth> =>
      expectStatus(200, await customer.api.get<WebhookHealth>(`/v1/webhooks/${webhook.id}/health`))

    const [first, second, ...others] = answers.splice(0)
    first?.(410)
    await until('it is disabled', async () => (await readHealth()).disabled_reason === 'gone')
    second?.(500)
    for (const answer of others) answer(410)
    const health = await until('all answers are written', async () => {
      const now = await readHealth()
      return now.gone === underWay - 1 ? now : undefined
    })
    const message = health.warnings.find(({ code }) => code === 'disabled_gone')?.message
    expect(message).toContain(`gave up ${underWay - 1} deliveries`)
    expect(message).toContain('replay the `exhausted` deliveries')
    const notice = await until('its owner is told', async () => {
      const all = await inbox.notices()
      return all.find(({ data }) => data['webhook_id'] === webhook.id)
    })
    expect(notice.data['message']).toBe(message)
    const states = async (): Promise<string[]> =>
      (await customer.deliveries(webhook.id)).map(({ state }) => state)
    expect((await states()).filter(state => state === 'exhausted')).toHaveLength(underWay - 1)
    expect((await states()).filter(state => state === 'failed')).toHaveLength(1)

    receiver.respondWith(() => 204)
    expectStatus(200, await customer.api.patch(`/v1/webhooks/${webhook.id}`, { enabled: true }))
    expect(await readHealth()).toMatchObject({ status: 'enabled', gone: underWay - 1 })
    const given = (await customer.deliveries(webhook.id, '&state=exhausted'))[0]
    expectStatus(202, await customer.api.post(`/v1/deliveries/${given?.id}/retry`))
    expect(await readHealth()).toMatchObject({ gone: underWay - 2, gone_since: health.gone_since })
    const replay = { since: health.gone_since, states: ['exhausted'] }
    expectStatus(202, await customer.api.post(`/v1/webhooks/${webhook.id}/replays`, replay))
    expect(await readHealth()).toMatchObject({ gone: 0, gone_since: null })
    await until('all are delivered', async () => (await states()).every(state => state === 'delivered'))
    seen(`${underWay} in flight: ${underWay - 1} exhausted, counted and replayed, 1 pending`)
  },
)

import { expectStatus } from '../../../server/test/support/api.ts'
import { until } from '../../../server/test/support/until.ts'
import type { CustomerReceiver } from './customer-receiver.ts'
import type { DashboardService } from './dashboard-service.ts'
import { furnishMail } from './furnish-mail.ts'

/** The ids of the furnished objects. */
export interface Furnished {
  readonly healthy: string
  readonly failing: string
  readonly deliveredDelivery: string
  readonly failedDelivery: string
  readonly event: string
  readonly replay: string
  readonly email: string
  readonly domain: string
}

/** An account with endpoints in every state, and with names that look dangerous. */
export async function furnish(service: DashboardService, receiver: CustomerReceiver): Promise<Furnished> {
  const { customer } = service
  const endpoint = async (path: string, input: Record<string, unknown> = {}) =>
    await customer.newWebhook({ url: receiver.url(path), ...input })

  const healthy = await endpoint('/crm', { description: 'CRM' })
  const secrets = [healthy.secret]
  receiver.behave('/crm', { kind: 'verifies', secrets })
  const failing = await endpoint('/billing', {
    description: 'Billing',
    events: ['email.bounced', 'email.failed'],
  })
  receiver.behave('/billing', {
    kind: 'answers',
    status: 500,
    headers: { 'content-type': 'text/plain' },
    body: 'relation "subscribers" does not exist\n    at recordBounce (billing/bounces.js:41:18)',
  })
  const gone = await endpoint('/old-crm', { description: 'Old CRM' })
  receiver.behave('/old-crm', { kind: 'answers', status: 410 })
  await endpoint('/paused', { description: 'Moves next week', enabled: false })
  await endpoint('/moved', { description: `<b>Warehouse</b> \u202Eesuoheraw ${'long '.repeat(150)}` })
  receiver.behave('/moved', { kind: 'answers', status: 301, headers: { location: '/moved/' } })
  const { secret } = expectStatus(
    201,
    await customer.api.post<{ secret: string }>(`/v1/webhooks/${healthy.id}/signing-keys/stage`),
  )
  secrets.push(secret)

  const types = ['email.delivered', 'email.delivered', 'email.bounced', 'email.failed', 'email.unsubscribed']
  const outcomes = Array.from({ length: 60 }, (_, n) => ({
    type: types[n % types.length],
    data: { email_id: `em_mail${n}`, to: [`reader${n}@example.org`] },
  }))
  expectStatus(202, await customer.api.post('/v1/outcomes', outcomes))
  await until('the healthy endpoint has everything', () => receiver.acknowledged('/crm').length >= 60)
  const one = async (webhook: string, state: string) =>
    await until(`a delivery is ${state}`, async () => {
      const [first] = await customer.deliveries(webhook, `&state=${state}`)
      return first
    })
  const failedDelivery = await one(failing.id, 'failed')
  const deliveredDelivery = await one(healthy.id, 'delivered')
  await until('the gone endpoint is disabled', async () => {
    const { body } = await customer.api.get<{ status: string }>(`/v1/webhooks/${gone.id}`)
    return body.status === 'disabled'
  })
  const replay = expectStatus(
    202,
    await customer.api.post<{ id: string }>(`/v1/webhooks/${healthy.id}/replays`, {
      since: new Date(Date.now() - 3_600_000).toISOString(),
      states: ['delivered'],
    }),
  )
  return {
    ...(await furnishMail(service)),
    healthy: healthy.id,
    failing: failing.id,
    deliveredDelivery: deliveredDelivery.id,
    failedDelivery: failedDelivery.id,
    event: deliveredDelivery.event_id,
    replay: replay.id,
  }
}

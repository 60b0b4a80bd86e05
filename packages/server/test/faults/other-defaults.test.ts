import type { Erasure, Replay } from '@posthorn/contract'
import { expect } from 'vitest'
import { expectStatus, newCustomer } from '../support/api.ts'
import { setOtherDefaults } from '../support/other-defaults.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, serverBackends, withoutTemplate } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'

for (const backend of serverBackends()) {
  fault(
    'F63',
    `a database with unusual session settings is migrated and works normally (${backend.name})`,
    async seen => {
      await using place = await newDatabasePlace(withoutTemplate(backend))
      await setOtherDefaults(place.databaseUrl ?? '')
      await using receiver = await startReceiver(({ attempt }) => (attempt === 1 ? 500 : 204))
      const installation = newInstallation(place)
      const settings = { POSTHORN_RETRY_BASE_SECONDS: '0.2' }
      await using service = await startService(installation, settings)
      await using other = await startService(installation, settings)
      const customer = await newCustomer(service.url, service.operator)
      const webhook = await customer.newWebhook({ url: receiver.url() })
      const count = 50
      await customer.report(count)
      const deliveries = await until('all are delivered by a retry', async () => {
        const all = await customer.deliveries(webhook.id, '&state=delivered')
        return all.length === count ? all : undefined
      })
      const [one] = deliveries
      expect((await customer.api.post(`/v1/deliveries/${one?.id}/retry`)).status).toBe(202)
      const { id } = expectStatus(
        202,
        await customer.api.post<Replay>(`/v1/webhooks/${webhook.id}/replays`, {
          since: '2020-01-01T00:00:00Z',
          states: ['delivered'],
        }),
      )
      await until('the replay is done', async () => {
        const { body } = await customer.api.get<Replay>(`/v1/replays/${id}`)
        return body.state === 'done'
      })
      const recipient = one?.event.to[0] ?? ''
      const erasure = expectStatus(202, await customer.api.post<Erasure>('/v1/erasures', { recipient }))
      await until('the erasure is done', async () => {
        const { body } = await customer.api.get<Erasure>(`/v1/erasures/${erasure.id}`)
        return body.state === 'done'
      })
      for (const path of [
        `/v1/webhooks/${webhook.id}/health`,
        '/v1/events?limit=10',
        '/v1/events?until=2100-01-01T00:00:00Z&since=2020-01-01T00:00:00Z',
      ])
        expect([path, (await customer.api.get(path)).status]).toEqual([path, 200])
      expect((await service.operator.get('/v1/system/health')).status).toBe(200)
      for (const process of [service, other]) {
        expect((await fetch(`${process.url}/readyz`)).status).toBe(200)
        expect(process.output()).not.toMatch(/failed|"level":"error"/)
      }
      seen(
        `${backend.name}: ${count} events reported, failed, delivered and replayed, one erased; no error logged`,
      )
    },
  )
}

import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { customerAt, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { customerInTraffic } from './customer-in-traffic.ts'
import { fault } from './fault.ts'
import { newHarmedDatabase } from './harmed-database.ts'
import { lasting } from './haste.ts'
import { reconcile } from './reconcile.ts'
import { startTraffic } from './traffic.ts'

const settings = {
  POSTHORN_LEASE_SECONDS: '5',
  POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '3',
  POSTHORN_RETRY_BASE_SECONDS: '1',
}

fault('F2', 'events accepted with 202 arrive even if no process runs for a minute', async seen => {
  await using place = await newDatabasePlace(newestServer())
  await using receiver = await startReceiver()
  const installation = newInstallation(place)
  const [first, second] = [
    await startService(installation, settings),
    await startService(installation, settings),
  ]
  const customer = await newCustomer(first.url, first.operator)
  await customer.newWebhook({ url: receiver.url() })
  let url = first.url
  const traffic = startTraffic({ url: () => url, apiKey: customer.apiKey, pauseMs: 20 })
  await receiver.waitForEvents(300)
  url = second.url
  await receiver.waitForEvents(receiver.counts().size + 300)
  await Promise.all([first.kill(), second.kill()])
  await wait(lasting(60))
  await using heir = await startService(installation, settings)
  url = heir.url
  await receiver.waitForEvents(receiver.counts().size + 300)
  await traffic.stop()

  const after = customerAt(heir.url, customer.accountId, customer.apiKey)
  const { events, duplicates } = await reconcile(after, receiver, { accepted: traffic.accepted })
  seen(`2 processes killed at once, ${events} events, ${duplicates} duplicates`)
})

fault(
  'F10',
  'reports get 503 while the database is down, and everything resumes on its own afterwards',
  async seen => {
    await using database = await newHarmedDatabase()
    await using receiver = await startReceiver()
    await using service = await startService(database.harmed, settings)
    const { customer, traffic } = await customerInTraffic(service, receiver)
    await receiver.waitForEvents(300)

    database.proxy.goAway()
    // until then, an answer from before may still arrive
    await until('all reporters are refused', () => (traffic.answers.get(503) ?? 0) >= 40)
    const acceptedBefore = traffic.accepted.length
    const refusal = await fetch(`${service.url}/v1/outcomes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        type: 'email.delivered',
        data: { email_id: 'em_1', to: ['reader@example.org'] },
      }),
    })
    expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([503, '2'])
    const answersBefore = new Map(traffic.answers)
    await wait(lasting(300))
    const refused = (traffic.answers.get(503) ?? 0) - (answersBefore.get(503) ?? 0)
    expect(traffic.accepted).toHaveLength(acceptedBefore)
    expect([...traffic.answers.keys()].filter(status => status !== 202 && status !== 503)).toEqual([])
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
    expect((await fetch(`${service.url}/readyz`)).status).toBe(503)

    database.proxy.back()
    await receiver.waitForEvents(receiver.counts().size + 300)
    await traffic.stop()
    const { events, duplicates } = await reconcile(customer, receiver, { accepted: traffic.accepted })
    seen(`database down for ${lasting(300) / 60_000} min, ${refused} reports rejected, 0 accepted`)
    seen(`${events} events, ${duplicates} duplicates`)
  },
  900_000,
)

import { expect } from 'vitest'
import { allEvents, customerAt, newCustomer } from '../support/api.ts'
import { newestPostgres, startReplicatedPair } from '../support/postgres-standby.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'
import { startTraffic } from './traffic.ts'

fault(
  'F11',
  'an asynchronous standby loses only events it had not received, and each event is resent at most once',
  async seen => {
    await using pair = await startReplicatedPair(newestPostgres(), { synchronous: false })
    await using receiver = await startReceiver()
    const installation = newInstallation(pair.place)
    const settings = { POSTHORN_LEASE_SECONDS: '5', POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '3' }
    await using service = await startService(installation, settings)
    const customer = await newCustomer(service.url, service.operator)
    const webhook = await customer.newWebhook({ url: receiver.url() })
    const traffic = startTraffic({ url: () => service.url, apiKey: customer.apiKey, pauseMs: 20 })
    await receiver.waitForEvents(500)

    const safe = [...traffic.accepted]
    await pair.waitUntilStandbyHasAll()
    await pair.stallReplication()
    await until('some were accepted that it misses', () => traffic.accepted.length > safe.length + 200)
    pair.primary.kill()
    await until('requests are refused', () => traffic.answers.has(503))
    const atRisk = traffic.accepted.length
    pair.promote()
    await until('reports are accepted again', () => traffic.accepted.length > atRisk)
    await receiver.waitForEvents(receiver.counts().size + 500)
    await traffic.stop()

    const after = customerAt(service.url, customer.accountId, customer.apiKey)
    const stored = new Set((await allEvents(after.api)).map(event => event.id))
    await until('all that is stored has arrived', () => [...stored].every(id => receiver.counts().has(id)))
    const deliveries = await until('all is settled', async () => {
      const all = await after.deliveries(webhook.id)
      return all.every(one => one.state === 'delivered') ? all : undefined
    })
    const lost = traffic.accepted.filter(id => !stored.has(id))
    const kept = [...safe, ...traffic.accepted.slice(atRisk)]
    expect(lost.length, 'the standby missed something').toBeGreaterThan(0)
    expect(
      kept.filter(id => !stored.has(id)),
      'lost, although the standby had it',
    ).toEqual([])
    expect(deliveries.map(one => one.sequence).sort((a, b) => a - b)).toEqual(
      deliveries.map((_, index) => index + 1),
    )
    const times = [...receiver.counts().values()]
    expect(Math.max(...times)).toBeLessThanOrEqual(2)
    expect(await service.stop()).toBe(0)
    seen(
      `${stored.size} events stored, ${lost.length} lost with the primary, ${times.filter(n => n > 1).length} sent twice`,
    )
  },
)

import { describe, expect, test } from 'vitest'
import { allEvents, customerAt, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { eachKind, newDatabasePlace } from '../support/test-database.ts'

describe.each(eachKind())('on $name', backend => {
  test('every accepted event is delivered although the process is killed three times under load', {
    timeout: 600_000,
  }, async () => {
    await using place = await newDatabasePlace(backend)
    await using receiver = await startReceiver()
    const installation = newInstallation(place)
    const settings = { POSTHORN_LEASE_SECONDS: '5', POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '3' }
    let service = await startService(installation, settings)
    const customer = await newCustomer(service.url, service.operator)
    const webhook = await customer.newWebhook({ url: receiver.url() })

    const accepted: string[] = []
    for (let kills = 0; kills < 3; kills++) {
      const api = customerAt(service.url, customer.accountId, customer.apiKey)
      // reports continue during the kill; those without an answer do not count as accepted
      const reporting = Array.from({ length: 10 }, async () => {
        try {
          accepted.push(...(await api.report(50)))
        } catch {
          return
        }
      })
      const seen = receiver.counts().size
      await receiver.waitForEvents(seen + 50)
      await service.kill()
      await Promise.all(reporting)
      service = await startService(installation, settings)
    }
    await using last = service
    const api = customerAt(last.url, customer.accountId, customer.apiKey)
    while (accepted.length < 500) accepted.push(...(await api.report(100)))

    const stored = await allEvents(api.api)
    await receiver.waitForEvents(stored.length, 400_000)
    const arrived = receiver.counts()
    expect(accepted.filter(id => !arrived.has(id))).toEqual([])
    expect(new Set(stored.map(event => event.id))).toEqual(new Set(arrived.keys()))
    // a kill may cause duplicates only of attempts in flight and of results that were not written yet
    const sequences = new Set(receiver.received.map(one => one.sequence))
    expect([...sequences].sort((a, b) => a - b)).toEqual(stored.map((_, index) => index + 1))
    expect((await api.deliveries(webhook.id)).length).toBe(stored.length)
  })
})

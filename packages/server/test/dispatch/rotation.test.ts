import { createVerifier } from '@posthorn/receiver'
import { describe, expect, test } from 'vitest'
import { customerAt, expectStatus, newCustomer } from '../support/api.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { eachKind, newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'

interface Staged {
  key_id: string
  secret: string
}

describe.each(eachKind())('on $name', backend => {
  test('receivers verify with the old secret until promote, and with the staged one from staging on', {
    timeout: 180_000,
  }, async () => {
    await using place = await newDatabasePlace(backend)
    await using receiver = await startReceiver()
    await using service = await startService(newInstallation(place))
    const customer = await newCustomer(service.url, service.operator)
    const webhook = await customer.newWebhook({ url: receiver.url() })
    const keys = `/v1/webhooks/${webhook.id}/signing-keys`
    const accepts = async (one: Received, ...secrets: string[]): Promise<boolean> =>
      (await createVerifier({ secrets }).safeVerify(one.body, one.signature)).ok
    const arriving = async (): Promise<Received[]> => {
      const before = receiver.received.length
      await customer.report(100)
      await until('they have arrived', () => receiver.received.length >= before + 100)
      return receiver.received.slice(before)
    }

    for (const one of await arriving()) expect(await accepts(one, webhook.secret)).toBe(true)

    const staged = expectStatus(201, await customer.api.post<Staged>(`${keys}/stage`))
    for (const one of await arriving()) {
      expect(await accepts(one, webhook.secret)).toBe(true)
      expect(await accepts(one, staged.secret)).toBe(true)
      expect(await accepts(one, webhook.secret, staged.secret)).toBe(true)
    }

    expectStatus(200, await customer.api.post(`${keys}/${staged.key_id}/promote`))
    for (const one of await arriving()) {
      expect(await accepts(one, staged.secret)).toBe(true)
      expect(await accepts(one, webhook.secret, staged.secret)).toBe(true)
      expect(await accepts(one, webhook.secret)).toBe(false)
    }
  })
})

test('after promote has returned, no process signs with the old secret, and every signature verifies', {
  timeout: 180_000,
}, async () => {
  await using place = await newDatabasePlace(newestServer())
  await using receiver = await startReceiver()
  const installation = newInstallation(place)
  await using first = await startService(installation)
  await using second = await startService(installation)
  const customer = await newCustomer(first.url, first.operator)
  const other = customerAt(second.url, customer.accountId, customer.apiKey)
  const webhook = await customer.newWebhook({ url: receiver.url() })
  const keys = `/v1/webhooks/${webhook.id}/signing-keys`
  let secret = webhook.secret

  let loading = true
  const load = [customer, other, customer, other].map(async reporter => {
    while (loading) {
      const ids = await reporter.report(20)
      await until('they have arrived', () => {
        const arrived = receiver.counts()
        return ids.every(id => arrived.has(id))
      })
    }
  })
  for (let round = 0; round < 3; round++) {
    const staged = expectStatus(201, await customer.api.post<Staged>(`${keys}/stage`))
    // alternate between the two processes
    const asked = round % 2 === 0 ? customer : other
    const promotedFrom = receiver.received.length
    expectStatus(200, await asked.api.post(`${keys}/${staged.key_id}/promote`))
    const answeredInSecond = Math.floor(Date.now() / 1_000)
    const seen = receiver.received.length
    await until('more has arrived after the answer', () => receiver.received.length >= seen + 100)

    const old = createVerifier({ secrets: secret })
    const current = createVerifier({ secrets: staged.secret })
    const arrived = receiver.received.slice(promotedFrom)
    for (const [nth, one] of arrived.entries()) {
      if ((await current.safeVerify(one.body, one.signature)).ok) continue
      expect((await old.safeVerify(one.body, one.signature)).ok).toBe(true)
      expect(Number(/^t=(\d+)/.exec(one.signature)?.[1])).toBeLessThanOrEqual(answeredInSecond)
      expect(promotedFrom + nth).toBeLessThan(seen + 20)
    }
    secret = staged.secret
  }
  loading = false
  await Promise.all(load)
})

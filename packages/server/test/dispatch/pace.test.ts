import type { Webhook } from '@posthorn/contract'
import { describe, expect, test } from 'vitest'
import { customerAt, expectStatus, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { eachKind, newDatabasePlace, newestServer } from '../support/test-database.ts'

const seconds = (from: number, to: number): number => (to - from) / 1_000

describe.each(eachKind())('on $name', backend => {
  test('a re-enabled endpoint gets its backlog at the configured pace, and new events after it', async () => {
    await using place = await newDatabasePlace(backend)
    await using receiver = await startReceiver()
    await using service = await startService(newInstallation(place), { POSTHORN_DRAIN_PER_SECOND: '10' })
    const customer = await newCustomer(service.url, service.operator)
    const webhook = await customer.newWebhook({ url: receiver.url(), enabled: false })
    await customer.report(40)

    const enabledAtMs = Date.now()
    expectStatus(200, await customer.api.patch<Webhook>(`/v1/webhooks/${webhook.id}`, { enabled: true }))
    await customer.report(5)
    await receiver.waitForEvents(45)
    // ten at once, the rest at ten per second
    expect(seconds(enabledAtMs, receiver.received.at(-1)?.atMs ?? 0)).toBeGreaterThan(3)
    // one claim takes at most a second's worth, and those are sent concurrently
    expect(receiver.received.findIndex(one => one.sequence > 40)).toBeGreaterThanOrEqual(40 - 10)

    // the backlog is gone, so the rate no longer applies
    await customer.report(100)
    await receiver.waitForEvents(145)
  })
})

test('a rate limit applies to all processes together', async () => {
  await using place = await newDatabasePlace(newestServer())
  await using receiver = await startReceiver()
  const installation = newInstallation(place)
  await using first = await startService(installation)
  await using second = await startService(installation)
  const customer = await newCustomer(first.url, first.operator)
  const other = customerAt(second.url, customer.accountId, customer.apiKey)
  await customer.newWebhook({ url: receiver.url(), rate_limit_per_second: 10 })
  const startedAtMs = Date.now()
  await Promise.all([customer.report(30), other.report(30)])
  await receiver.waitForEvents(60)
  expect(seconds(startedAtMs, receiver.received.at(-1)?.atMs ?? 0)).toBeGreaterThan(4.5)
  expect(receiver.received).toHaveLength(60)
})

import { expect, test } from 'vitest'
import { customerAt, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer, serverBackends } from '../support/test-database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { until } from '../support/until.ts'

test.each(serverBackends())(
  'two processes on $name number the deliveries of 200 endpoints without a gap and without a deadlock',
  { timeout: 180_000 },
  async backend => {
    await using place = await newDatabasePlace(backend)
    await using receiver = await startReceiver()
    const installation = newInstallation(place)
    await using first = await startService(installation)
    await using second = await startService(installation)
    const customer = await newCustomer(first.url, first.operator)
    const other = customerAt(second.url, customer.accountId, customer.apiKey)
    await Promise.all(
      Array.from({ length: 200 }, async (_, n) => await customer.newWebhook({ url: receiver.url(`/${n}`) })),
    )

    const perProcess = 20
    await Promise.all(
      [customer, other].flatMap(reporter =>
        Array.from({ length: perProcess }, async () => await reporter.report(1)),
      ),
    )
    const events = 2 * perProcess
    await until(
      'each endpoint has received each event',
      () => receiver.received.length >= 200 * events,
      60_000,
    )

    const byEndpoint = Map.groupBy(receiver.received, one => one.path)
    expect(byEndpoint.size).toBe(200)
    const gapless = Array.from({ length: events }, (_, index) => index + 1)
    for (const received of byEndpoint.values()) {
      expect(received.map(one => one.sequence).sort((a, b) => a - b)).toEqual(gapless)
    }
    expect(await deadlocks(place.databaseUrl)).toBe(0)
  },
)

test('two processes that share the work under load deliver nothing twice', {
  timeout: 180_000,
}, async () => {
  await using place = await newDatabasePlace(newestServer())
  await using receiver = await startReceiver()
  const installation = newInstallation(place)
  await using first = await startService(installation)
  await using second = await startService(installation)
  const customer = await newCustomer(first.url, first.operator)
  const other = customerAt(second.url, customer.accountId, customer.apiKey)
  await customer.newWebhook({ url: receiver.url() })

  await Promise.all(
    [customer, other].flatMap(one => Array.from({ length: 10 }, async () => await one.report(250))),
  )
  await receiver.waitForEvents(5_000, 60_000)

  expect(receiver.received.length).toBe(5_000)
})

async function deadlocks(databaseUrl: string | null): Promise<number | undefined> {
  await using db = await openDatabase({ url: databaseUrl, dataDir: '', connectionsMax: 1, onLost: () => {} })
  const [row] = await db.query<{ deadlocks: number }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  return row?.deadlocks
}

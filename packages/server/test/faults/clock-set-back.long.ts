import type { System } from '@posthorn/contract'
import { expect } from 'vitest'
import { customerAt, expectStatus, newCustomer } from '../support/api.ts'
import { openPlace } from '../support/open-place.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { embedded, newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { fakeClock } from './fake-clock.ts'
import { fault } from './fault.ts'
import { newMovedClock } from './moved-clock.ts'

const days = 40
const events = 20
/** With a correct clock, a retry is due much later than these tests wait. */
const settings = {
  POSTHORN_RETRY_BASE_SECONDS: '3600',
  POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '5',
  POSTHORN_LEASE_SECONDS: '7',
}

fault(
  'T1',
  'deliveries that failed while an embedded database’s clock was 40 days ahead are retried soon after its correction',
  async seen => {
    await using place = await newDatabasePlace(embedded)
    let isWell = false
    await using receiver = await startReceiver(() => (isWell ? 204 : 500))
    const installation = newInstallation(place)
    const right = await startService(installation, settings)
    const customer = await newCustomer(right.url, right.operator)
    const webhook = await customer.newWebhook({ url: receiver.url() })
    expect(await right.stop()).toBe(0)
    {
      await using ahead = await startService(installation, { ...settings, ...fakeClock(place.dataDir, days) })
      const there = customerAt(ahead.url, customer.accountId, customer.apiKey)
      await there.report(events)
      await until('each has failed', async () => {
        const all = await there.deliveries(webhook.id, '&state=failed')
        return all.length === events
      })
      await ahead.kill()
    }
    isWell = true
    await using again = await startService(installation, settings)
    await receiver.waitForEvents(events)
    const there = customerAt(again.url, customer.accountId, customer.apiKey)
    await until('all are delivered', async () => {
      const all = await there.deliveries(webhook.id, '&state=delivered')
      return all.length === events
    })
    seen(`${events} deliveries due in ${days} days, all sent after a start with the correct clock`)
  },
)

const marks = [
  { once: 'it is right', column: 'jumped_at', isConfirmed: false },
  { once: 'the operator confirms the right one', column: 'seen_at', isConfirmed: true },
]

for (const { once, column, isConfirmed } of marks) {
  fault(
    'T1',
    `work that a killed process left while the server clock was 40 days ahead resumes once ${once}`,
    async seen => {
      await using place = await newDatabasePlace(newestServer())
      let hangs = true
      await using receiver = await startReceiver(() => (hangs ? undefined : 204))
      const installation = newInstallation(place)
      const first = await startService(installation, settings)
      const customer = await newCustomer(first.url, first.operator)
      const urls = ['/alone', '/paced', '/waiting'].map(path => receiver.url(path))
      const [, paced, waiting] = [
        await customer.newWebhook({ url: urls[0] ?? '' }),
        await customer.newWebhook({ url: urls[1] ?? '', rate_limit_per_second: 100 }),
        await customer.newWebhook({ url: urls[2] ?? '', enabled: false }),
      ]
      const reported = await customer.report(4)
      await until('some are under way', () => receiver.received.length >= 2)
      await first.kill()
      hangs = false
      const before = receiver.received.length

      await using db = await openPlace(place)
      // everything that such a server leaves behind
      for (const [table, column] of writtenAhead) {
        await db.query(`update ${table} set ${column} = ${column} + interval '${days} days'`)
      }
      // one that waits and one that is claimed; this installation hands over no emails itself
      await db.query(
        `insert into handover (account_id, email_id, number, due_at, taken_by)
         select gen_random_uuid(), gen_random_uuid(), 1, now() + interval '${days} days', taken_by
         from unnest(array[null, gen_random_uuid()]) as taken_by`,
      )
      await db.query(`update maintenance_clock set ${column} = now() + interval '${days} days'`)
      await using again = await startService(installation, settings)
      if (isConfirmed) expectStatus(200, await again.operator.post('/v1/system/confirm-clock'))
      const there = customerAt(again.url, customer.accountId, customer.apiKey)
      await there.api.patch(`/v1/webhooks/${waiting?.id}`, { enabled: true })
      for (const url of ['/alone', '/paced', '/waiting']) {
        await until(
          `all of ${url} have come`,
          () => idsAt(receiver.received.slice(before), url).size === reported.length,
          90_000,
        )
      }
      const emails = await db.query(`select from handover where due_at < now() + interval '1 minute'`)
      expect(emails).toHaveLength(2)
      await until(
        'what came of them is written down',
        async () => (await there.deliveries(paced?.id ?? '', '&state=delivered')).length === reported.length,
      )
      seen(
        `${reported.length} events to 3 endpoints, claimed, pending and rate-limited by a clock ${days} days ahead`,
      )
    },
  )
}

fault(
  'T1',
  'a jump of the database clock is recorded even if the process clock differs from it',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using db = await openPlace(place)
    await db.query(`update maintenance_clock set seen_at = now() - interval '${days} days'`)
    const installation = newInstallation(place)
    const { settings: behind } = newMovedClock(place.dataDir, -days * 86_400_000)
    await using service = await startService(installation, behind)
    const { maintenance } = expectStatus(200, await service.operator.get<System>('/v1/system'))
    expect(maintenance.reason).toBe('clocks_differ')
    expect(await db.query('select from maintenance_clock where jumped_at is not null')).toHaveLength(1)
    seen('the jump is recorded')
  },
)

/** The tables and columns with the time at which something may happen. */
const writtenAhead = [
  ['queue', 'due_at'],
  ['process', 'leased_until'],
  ['process', 'last_seen_at'],
  ['endpoint', 'bucket_at'],
] as const

function idsAt(received: readonly Received[], path: string): Set<string> {
  return new Set(received.filter(one => one.path === path).map(({ eventId }) => eventId))
}

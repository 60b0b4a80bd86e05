import type { OutcomeStats, Stats } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Queryable } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { recountLost } from '../../src/stats/recount-lost.ts'
import { commitsReport } from '../faults/commits-report.ts'
import { newHarmedDatabase } from '../faults/harmed-database.ts'
import { runsStatement } from '../faults/runs-statement.ts'
import { connectApi, type Customer, customerAt, expectStatus, newCustomer } from '../support/api.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import {
  type DatabasePlace,
  eachKind,
  embedded,
  newDatabasePlace,
  newestServer,
} from '../support/test-database.ts'
import { until } from '../support/until.ts'

/** Recipients by account, minute, type, reason and domain, from the counts and from the events. */
const counted = `
  select account_id, to_char(at, 'HH24:MI') as minute, type::text as type, reason, domain, sum(n)::bigint as count
  from outcome_stat cross join lateral (
    select * from unnest(domains, domain_counts) as d (domain, n)
    union all select null, count - (select coalesce(sum(n), 0) from unnest(domain_counts) as d (n))
  ) d
  group by 1, 2, 3, 4, 5 having sum(n) <> 0 order by 1, 2, 3, 4, 5`
const stored = `
  select account_id, to_char(to_timestamp(('x' || lpad(replace(left(id::text, 13), '-', ''), 16, '0'))::bit(64)::bigint / 1000), 'HH24:MI') as minute,
    type::text as type, coalesce(data #>> '{bounce,category}', data #>> '{failure,reason}', data #>> '{unsubscribe,source}', '') as reason,
    split_part(recipient, '@', 2) as domain, count(*) as count
  from event cross join lateral (select convert_from(body, 'UTF8')::jsonb -> 'data') as b (data)
  cross join lateral jsonb_array_elements_text(data -> 'to') as recipient
  where data ->> 'email_id' not like 'em_test_%'
  group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`

async function openPlace(place: DatabasePlace): Promise<Queryable & AsyncDisposable> {
  const { databaseUrl: url, dataDir } = place
  return await openDatabase({ url, dataDir, connectionsMax: 2, onLost: () => {} })
}

const none: OutcomeStats['total'] = { delivered: 0, bounced: 0, failed: 0, unsubscribed: 0, complaints: 0 }

async function statsOf({ api }: Customer, query = ''): Promise<Stats> {
  const until = new Date(Date.now() + 3_600_000).toISOString()
  return expectStatus(200, await api.get<Stats>(`/v1/stats?until=${until}${query}`))
}

async function outcomesOf(customer: Customer, query = ''): Promise<OutcomeStats> {
  const { outcomes } = await statsOf(customer, query)
  if (outcomes === null) throw new Error('the statistics have no outcomes')
  return outcomes
}

const sum = ({ delivered, bounced, failed, unsubscribed }: OutcomeStats['total']): number =>
  delivered + bounced + failed + unsubscribed

let emails = 0
const to = (...addresses: string[]) => ({ email_id: `mail-${++emails}`, to: addresses })

describe('in one process', () => {
  let place: DatabasePlace
  let service: ServiceProcess
  beforeAll(async () => {
    place = await newDatabasePlace(newestServer())
    service = await startService(newInstallation(place), {
      POSTHORN_BOUNCE_RATE_WARNING: '3%',
      POSTHORN_COMPLAINT_RATE_RISK: '0.002',
    })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  })

  test('each recipient is counted by type, reason and domain, from every kind of report', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const other = await newCustomer(service.url, service.operator)
    const report = async (outcomes: object, headers = {}): Promise<void> => {
      expectStatus(202, await customer.api.post('/v1/outcomes', outcomes, headers))
    }
    await report([
      { type: 'email.delivered', data: to('ann@one.example', 'bob@ONE.example', 'cy@two.example') },
      { type: 'email.bounced', data: { ...to('dan@one.example'), bounce: { category: 'mailbox_disabled' } } },
      { type: 'email.failed', data: { ...to('eve@two.example'), failure: { reason: 'mailbox_full' } } },
      {
        type: 'email.unsubscribed',
        data: { ...to('ann@one.example'), unsubscribe: { source: 'complaint' } },
      },
    ])
    // in the transaction of its key
    await report(
      { type: 'email.unsubscribed', data: { ...to('bob@one.example'), unsubscribe: { source: 'link' } } },
      { 'idempotency-key': 'once' },
    )
    // as a mail server reports it
    const raw = { email_id: 'raw-1', recipient: 'fay@three.example', stage: 'rcpt_to' }
    await report({ ...raw, reply: { text: '550 5.1.1 User unknown' } })

    const expected = { delivered: 3, bounced: 2, failed: 1, unsubscribed: 2, complaints: 1 }
    await until('all are counted', async () => sum((await outcomesOf(customer)).total) === sum(expected))
    const stats = await statsOf(customer)
    expect(stats.outcomes).toEqual({
      total: expected,
      bounced_by_category: { mailbox_disabled: 1, invalid_recipient: 1 },
      failed_by_reason: { mailbox_full: 1 },
      unsubscribed_by_source: { complaint: 1, link: 1 },
      domains: [
        { domain: 'one.example', ...none, delivered: 2, bounced: 1, unsubscribed: 2, complaints: 1 },
        { domain: 'two.example', ...none, delivered: 1, failed: 1 },
        { domain: 'three.example', ...none, bounced: 1 },
      ],
      recorded_since: expect.any(String),
    })
    expect(stats.data.reduce((total, point) => total + sum(point.outcomes ?? none), 0)).toBe(sum(expected))
    expect((await outcomesOf(other)).total).toEqual(none)
  })

  test('duplicates, superseded outcomes and test events do not count', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const webhook = await customer.newWebhook({ url: 'https://hooks.example.com/' })
    const named = {
      type: 'email.delivered',
      data: to('ann@one.example'),
      outcome_id: 'a',
    }
    const raw = { email_id: 'raw-2', recipient: 'fay@three.example', stage: 'rcpt_to' }
    const bounced = { ...raw, reply: { text: '550 5.1.1 User unknown' } }
    const late = { ...raw, stage: 'end_of_data', reply: { code: 250, text: '250 2.0.0 OK' } }
    for (const outcomes of [named, [named, named], bounced, bounced, late]) {
      expectStatus(202, await customer.api.post('/v1/outcomes', outcomes))
    }
    const test = { type: 'email.bounced' }
    expectStatus(202, await customer.api.post(`/v1/webhooks/${webhook.id}/test`, test))
    // counted after all the others
    await customer.report(1)
    await until('the last is counted', async () => (await outcomesOf(customer)).total.delivered === 2)
    expect((await outcomesOf(customer)).total).toEqual({ ...none, delivered: 2, bounced: 1 })
  })

  test('the twenty largest domains are named, and the others are one sum', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const outcomes = Array.from({ length: 30 }, (_, n) =>
      Array.from({ length: n + 1 }, () => ({ type: 'email.delivered', data: to(`ann@d${n}.example`) })),
    ).flat()
    expectStatus(202, await customer.api.post('/v1/outcomes', outcomes))
    await until('all are counted', async () => sum((await outcomesOf(customer)).total) === outcomes.length)
    const { domains } = await outcomesOf(customer)
    expect(domains.map(({ domain, delivered }) => [domain, delivered])).toEqual([
      ...Array.from({ length: 20 }, (_, n) => [`d${29 - n}.example`, 30 - n]),
      [null, 55],
    ])
  })

  test('the statistics of an endpoint have no outcomes, and the thresholds are those of the operator', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const webhook = await customer.newWebhook({ url: 'https://hooks.example.com/' })
    const stats = await statsOf(customer, `&webhook_id=${webhook.id}`)
    expect(stats.outcomes).toBeNull()
    expect(stats.data.every(point => point.outcomes === null)).toBe(true)
    expect(stats.thresholds).toEqual({
      bounce_rate: { warning: 0.03, risk: 0.05 },
      complaint_rate: { warning: 0.0008, risk: 0.002 },
    })
  })
})

describe.each(eachKind())('on $name', backend => {
  test('what a killed process had not written is counted from its events', async () => {
    await using place = await newDatabasePlace(backend)
    const installation = newInstallation(place)
    let service = await startService(installation)
    const { accountId, apiKey } = await newCustomer(service.url, service.operator)
    let isLost = false
    for (let kills = 0; kills < 2; kills++) {
      const { api } = customerAt(service.url, accountId, apiKey)
      const delivered = Array.from({ length: 200 }, (_, n) => ({
        type: 'email.delivered',
        data: to(`ann@d${n % 150}.example`),
      }))
      const bounced = { type: 'email.bounced', data: to('bob@"quoted",{one}\\.example') }
      expectStatus(202, await api.post('/v1/outcomes', [...delivered, bounced, bounced]))
      await service.kill()
      await using db = await openPlace(place)
      isLost ||= (await db.query(counted)).length < 151
      // as it does at its next start, or another process does after a minute
      await recountLost(db, { nowMs: null })
      const [row] = await db.query<{ count: number }>('select sum(count)::int as count from outcome_stat')
      expect(row?.count).toBe((kills + 1) * 202)
      // doing it again changes nothing
      expect(await recountLost(db, { nowMs: null })).toEqual({ recounted: 0 })
      await db[Symbol.asyncDispose]()
      if (kills === 0) service = await startService(installation)
    }
    // something must be lost, or this test shows nothing
    expect(isLost).toBe(true)
  })
})

test('processes that only serve the API count too, and another process counts for one that was killed', async () => {
  await using place = await newDatabasePlace(newestServer())
  const installation = newInstallation(place)
  const api = await startService(installation, { POSTHORN_ROLE: 'api' })
  await using other = await startService(installation, { POSTHORN_ROLE: 'api' })
  await using _dispatcher = await startService(installation, { POSTHORN_ROLE: 'dispatcher' })
  const customer = await newCustomer(api.url, connectApi(api.url, installation.adminToken))
  const atOther = customerAt(other.url, customer.accountId, customer.apiKey)
  await Promise.all([customer.report(150), atOther.report(150)])
  await until('both have written', async () => (await outcomesOf(atOther)).total.delivered === 300)
  await customer.report(100)
  await api.kill()

  await using db = await openPlace(place)
  // the test does not wait until it was silent for a minute
  const [silent] = await db.query<{ number: number }>(
    `update stat_process set heard_at = '2000-01-01' where number = (select min(number) from stat_process) returning number`,
  )
  expect(silent).toBeDefined()
  await recountLost(db, { nowMs: Date.now() })
  await until('all are counted', async () => (await outcomesOf(atOther)).total.delivered === 400)
  expect(await db.query(counted)).toEqual(await db.query(stored))
})

test('outcomes whose commit was not confirmed are counted', async () => {
  await using database = await newHarmedDatabase()
  await using service = await startService(database.harmed)
  const customer = await newCustomer(service.url, service.operator)
  await customer.report(3)
  await until('they are written', async () => (await outcomesOf(customer)).total.delivered === 3)
  const bounce = async (headers: Record<string, string>): Promise<void> => {
    const outcome = { type: 'email.bounced', data: to('ann@one.example') }
    expectStatus(202, await customer.api.post('/v1/outcomes', outcome, headers))
  }
  // the client repeats a report after a 503
  for (const [matches, headers] of [
    [runsStatement('accept'), {}],
    [commitsReport(), { 'idempotency-key': 'once' }],
  ] as const) {
    const isCut = database.proxy.cutReplyAfter(matches)
    await Promise.all([isCut, bounce(headers)])
  }
  await customer.report(3)

  const { databaseUrl: url } = database
  await using db = await openDatabase({ url, dataDir: '', connectionsMax: 2, onLost: () => {} })
  await until('it counts under a new number', async () => {
    const rows = await db.query<{ number: number }>('select number from stat_process')
    return rows.length > 1
  })
  await customer.report(1)
  await until('all are counted', async () => {
    // the test does not wait until an old number was silent for a minute; each lost answer may make a new one
    await db.query(
      `update stat_process set heard_at = '2000-01-01' where number < (select max(number) from stat_process)`,
    )
    await recountLost(db, { nowMs: Date.now() })
    const [{ events } = { events: 0 }] = await db.query<{ events: number }>(
      'select count(*)::int as events from event',
    )
    return sum((await outcomesOf(customer)).total) === events
  })
  expect(await db.query(counted)).toEqual(await db.query(stored))
})

test('the embedded database counts what it has stored before it stopped', async () => {
  await using place = await newDatabasePlace(embedded)
  const installation = newInstallation(place)
  const service = await startService(installation)
  const customer = await newCustomer(service.url, service.operator)
  await customer.report(5)
  expect(await service.stop()).toBe(0)
  await using db = await openPlace(place)
  expect(await db.query(counted)).toEqual(await db.query(stored))
  expect(await db.query('select number from stat_process')).toEqual([])
})

import type { Stats, StatsQuery } from '@posthorn/contract'
import { describe, expect, test } from 'vitest'
import type { Queryable } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { typeId } from '../../src/domain/type-id.ts'
import { getStats } from '../../src/stats/get-stats.ts'
import { mergeStatistics } from '../../src/stats/merge-statistics.ts'
import { recountLost } from '../../src/stats/recount-lost.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { customerAt, type Customer, expectStatus, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import {
  type DatabasePlace,
  embedded,
  newDatabasePlace,
  newestServer,
  openTestDatabase,
  verbBackends,
} from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { newAccount, uuidOf, verbContext } from '../verbs/verb-context.ts'

const settings = { POSTHORN_RETRY_BASE_SECONDS: '0.02', POSTHORN_RETRY_CAP_SECONDS: '0.05' }

/** Attempts by endpoint, minute and result, and deliveries that were given up, from the counts and from the attempts. */
const counted = `select endpoint_id, to_char(at, 'HH24:MI') as minute, result, sum(count)::bigint as count from attempt_stat
  group by 1, 2, 3 order by 1, 2, 3`
const made = `select d.endpoint_id,
    to_char(to_timestamp(('x' || lpad(replace(left(a.id::text, 13), '-', ''), 16, '0'))::bit(64)::bigint / 1000), 'HH24:MI') as minute,
    r.result, count(*) as count
  from attempt a join delivery d on d.account_id = a.account_id and d.id = a.delivery_id
  cross join lateral (
    select coalesce(a.error_code, 'delivered') as result
    union all
    -- the last attempt of a delivery that was given up
    select 'exhausted' where d.state = 'exhausted' and a.number = d.attempt_count
  ) r
  group by 1, 2, 3 order by 1, 2, 3`

async function openPlace(place: DatabasePlace): Promise<Queryable & AsyncDisposable> {
  const { databaseUrl: url, dataDir } = place
  return await openDatabase({ url, dataDir, connectionsMax: 2, onLost: () => {} })
}

const today = `since=${new Date(Date.now() - 3_600_000).toISOString()}&until=${new Date(Date.now() + 3_600_000).toISOString()}`

async function totals(
  customer: Customer,
  query = '',
): Promise<{ delivered: number; failed: number; exhausted: number }> {
  const { data } = expectStatus(200, await customer.api.get<Stats>(`/v1/stats?${today}${query}`))
  return {
    delivered: data.reduce((sum, point) => sum + point.delivered, 0),
    failed: data.reduce((sum, point) => sum + point.failed, 0),
    exhausted: data.reduce((sum, point) => sum + point.exhausted, 0),
  }
}

describe.each(verbBackends())('on $name', backend => {
  test('every attempt is counted once by endpoint, minute and result, and the sums match the attempts', async () => {
    await using place = await newDatabasePlace(backend)
    await using receiver = await startReceiver(one => (one.path === '/bad' ? 500 : 204))
    const service = await startService(newInstallation(place), settings)
    const customer = await newCustomer(service.url, service.operator)
    const good = await customer.newWebhook({ url: receiver.url('/good') })
    const bad = await customer.newWebhook({ url: receiver.url('/bad') })
    for (let n = 0; n < 3; n++) await customer.report(4)
    await until(
      'everything is tried and counted',
      async () => {
        const { delivered, failed } = await totals(customer)
        return delivered === 12 && failed === 12 * 13
      },
      60_000,
    )
    expect(await totals(customer, `&webhook_id=${good.id}`)).toEqual({
      delivered: 12,
      failed: 0,
      exhausted: 0,
    })
    expect(await totals(customer, `&webhook_id=${bad.id}`)).toEqual({
      delivered: 0,
      failed: 156,
      exhausted: 12,
    })

    const { data } = expectStatus(200, await customer.api.get<Stats>(`/v1/stats?${today}&bucket=1d`))
    const point = data.find(one => one.failed > 0)
    expect(point?.by_error).toEqual({ status_not_2xx: point?.failed })
    expect(point?.p50_ms).toBeGreaterThan(0)
    expect(point?.p95_ms).toBeGreaterThanOrEqual(point?.p50_ms ?? 0)
    expect(point?.p99_ms).toBeGreaterThanOrEqual(point?.p95_ms ?? 0)

    const whole = expectStatus(200, await customer.api.get<Stats>(`/v1/stats?${today}&bucket=15m`))
    expect(whole.total).toMatchObject({ delivered: 12, failed: 156 })
    expect(whole.total.by_error).toEqual({ status_not_2xx: 156 })
    // the percentiles of all attempts come from one histogram, whatever the points are
    const once = expectStatus(200, await customer.api.get<Stats>(`/v1/stats?${today}&bucket=1m`))
    expect(once.total).toEqual(whole.total)
    expect(whole.total.p50_ms).toBeGreaterThan(0)

    expect(await service.stop()).toBe(0)
    await using db = await openPlace(place)
    expect(await db.query(counted)).toEqual(await db.query(made))
    // a process that has stopped has written all its counts
    expect(await db.query('select number from stat_process')).toEqual([])
  }, 120_000)

  test('counts that a killed process had not written are recounted from its attempts', async () => {
    await using place = await newDatabasePlace(backend)
    await using receiver = await startReceiver(one => (one.path === '/bad' ? 500 : 204))
    const installation = newInstallation(place)
    let service = await startService(installation, settings)
    const first = await newCustomer(service.url, service.operator)
    await first.newWebhook({ url: receiver.url('/good') })
    await first.newWebhook({ url: receiver.url('/bad') })
    for (let kills = 0; kills < 3; kills++) {
      const customer = customerAt(service.url, first.accountId, first.apiKey)
      const seen = receiver.counts().size
      await customer.report(100)
      await receiver.waitForEvents(seen + 50)
      await service.kill()
      if (kills < 2) service = await startService(installation, settings)
    }
    await using db = await openPlace(place)
    // something must be lost, or this test shows nothing
    expect(await db.query(counted)).not.toEqual(await db.query(made))
    await recountLost(db, { nowMs: null })
    expect(await db.query(counted)).toEqual(await db.query(made))
    // doing it again changes nothing
    expect(await recountLost(db, { nowMs: null })).toEqual({ recounted: 0 })
    expect(await db.query(counted)).toEqual(await db.query(made))
  }, 120_000)

  test('a recount reproduces the latency buckets and the end of the last attempt', async () => {
    await using place = await newDatabasePlace(backend)
    await using receiver = await startReceiver()
    const service = await startService(newInstallation(place))
    const customer = await newCustomer(service.url, service.operator)
    await customer.newWebhook({ url: receiver.url() })
    await customer.report(500)
    await until('all are counted', async () => (await totals(customer)).delivered === 500)
    await service.kill()
    await using db = await openPlace(place)
    const buckets = `select l.bucket, sum(l.count) as count from attempt_stat s
      cross join lateral unnest(s.latency_buckets, s.latency_counts) as l (bucket, count) group by 1 order by 1`
    const ends = 'select at, max(last_at) as last from attempt_stat group by at order by at'
    const before = [await db.query(buckets), await db.query(ends)]
    expect(await recountLost(db, { nowMs: null })).toEqual({ recounted: 1 })
    expect([await db.query(buckets), await db.query(ends)]).toEqual(before)
  })

  test('old counts are merged into quarters of an hour, then into six hours, and no sum changes', async () => {
    await using db = await openTestDatabase(backend)
    const account = '01890a5d-ac96-774b-bcce-b302099a8057'
    const age = { day: 1.5 * 86_400, week: 10 * 86_400, hour: 7_200, fresh: 60 }
    for (const seconds of Object.values(age)) {
      for (let minute = 0; minute < 45; minute++) {
        await db.query(
          `insert into attempt_stat (account_id, endpoint_id, at, width_seconds, process, result, count,
             last_at, latency_buckets, latency_counts)
           select $1, $1, m.at, 60, 1, r.result, 3, m.at + interval '7 seconds', r.buckets, r.counts
           from (select date_trunc('minute', now()) - $2::int * interval '1 second' - $3::int * interval '1 minute') m (at),
             (values ('delivered', '{5,9}'::smallint[], '{1,2}'::bigint[]), ('exhausted', '{}', '{}'))
               r (result, buckets, counts)`,
          [account, Math.round(seconds), minute],
        )
      }
    }
    const sums = `select sum(l.n) filter (where l.bucket = 5) as fives, sum(l.n) filter (where l.bucket = 9) as nines,
        sum(count) filter (where result = 'exhausted') as given_up, max(last_at) as last
      from attempt_stat left join lateral unnest(latency_buckets, latency_counts) as l (bucket, n) on true`
    const before = await db.query(sums)
    await mergeStatistics(db, Date.now())
    await mergeStatistics(db, Date.now())
    expect(await db.query(sums)).toEqual(before)
    const rows = await db.query<{ width: number; at: Date; process: number | null; count: number }>(
      'select width_seconds as width, at, process, count from attempt_stat order by at',
    )
    expect([...new Set(rows.map(row => row.width))]).toEqual([21_600, 900, 60])
    for (const { width, at } of rows) expect(at.getTime() % (width * 1_000)).toBe(0)
    expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe(2 * 4 * 45 * 3)
    expect(rows.filter(row => row.width === 21_600).length).toBeLessThanOrEqual(4)
    expect(rows.filter(row => row.width === 900).length).toBeLessThanOrEqual(8)
    // counts younger than an hour belong to their process
    expect(rows.filter(row => row.process !== null)).toHaveLength(90)
  })
})

test('two processes each count their own attempts, and the sums match', async () => {
  await using place = await newDatabasePlace(newestServer())
  await using receiver = await startReceiver(() => (Math.random() < 0.2 ? 500 : 204))
  const installation = newInstallation(place)
  await using first = await startService(installation, settings)
  await using second = await startService(installation, settings)
  const customer = await newCustomer(first.url, first.operator)
  const other = customerAt(second.url, customer.accountId, customer.apiKey)
  await customer.newWebhook({ url: receiver.url() })
  await Promise.all([customer.report(300), other.report(300)])
  await until('all is delivered and counted', async () => (await totals(other)).delivered === 600)
  await using db = await openPlace(place)
  expect(await db.query(counted)).toEqual(await db.query(made))
})

test('a process that stalled, was declared dead and resumed is counted correctly', async () => {
  await using place = await newDatabasePlace(newestServer())
  await using receiver = await startReceiver()
  await using service = await startService(newInstallation(place), settings)
  const customer = await newCustomer(service.url, service.operator)
  await customer.newWebhook({ url: receiver.url() })
  await customer.report(100)
  await receiver.waitForEvents(100)
  await using db = await openPlace(place)
  // another process considers it dead although it has counts that it has not written
  expect(await recountLost(db, { nowMs: null })).toEqual({ recounted: 1 })
  await customer.report(100)
  await receiver.waitForEvents(200)
  const [numbers] = await until('it counts under a new number', async () => {
    const rows = await db.query<{ number: number }>('select number from stat_process order by number')
    return rows.length === 2 ? [rows] : undefined
  })
  await customer.report(100)
  await until('the new number is written', async () => {
    const rows = await db.query('select from attempt_stat where process = $1', [numbers.at(-1)?.number])
    return rows.length > 0
  })
  // the old number is recounted after it was silent for a while; the test does not wait for that
  await db.query(`update stat_process set heard_at = '2000-01-01' where number = $1`, [numbers[0]?.number])
  await recountLost(db, { nowMs: Date.now() })
  await until('all are counted', async () => (await totals(customer)).delivered === 300)
  expect(await db.query(counted)).toEqual(await db.query(made))
})

describe.each(verbBackends())('filters on $name', backend => {
  test('a response contains its time range, its bucket and the start of the recorded numbers', async () => {
    await using db = await openTestDatabase(backend)
    const ctx = verbContext(db)
    const accountId = await newAccount(ctx)
    const endpoint = async (): Promise<string> =>
      uuidOf('wh', (await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })).id)
    const [first, second] = [await endpoint(), await endpoint()]
    const ask = async (query: StatsQuery): Promise<Stats> => await getStats(ctx, accountId, query)
    const end = '2026-03-10T07:30:00.000Z'
    expect(await ask({ until: end, bucket: '2h' })).toMatchObject({
      since: '2026-03-09T06:00:00.000Z',
      until: end,
      bucket: '2h',
      recorded_since: null,
    })

    for (const [id, at, result, times] of [
      [first, '2026-03-09T23:00:00Z', 'delivered', 5],
      [second, '2026-03-10T05:15:00Z', 'delivered', 2],
      // the host was not found at once, many times: no answer, so no answer time
      [second, '2026-03-10T05:15:00Z', 'dns_failed', 90],
      [second, '2026-03-10T06:00:00Z', 'exhausted', 3],
    ] as const) {
      await db.query(
        `insert into attempt_stat (account_id, at, endpoint_id, width_seconds, result, count, last_at, latency_buckets,
           latency_counts)
         values ($1, $2, $3, 900, $4, $5, $2, $6, $7)`,
        [
          accountId,
          at,
          id,
          result,
          times,
          { delivered: '{9}', dns_failed: '{0}', exhausted: '{}' }[result],
          result === 'exhausted' ? '{}' : `{${times}}`,
        ],
      )
    }
    const both = await ask({ until: end, bucket: '2h' })
    expect(both.recorded_since).toBe('2026-03-09T23:00:00.000Z')
    const some = both.data.filter(one => one.delivered + one.exhausted > 0)
    expect(some.map(one => [one.at, one.delivered, one.exhausted])).toEqual([
      ['2026-03-09T22:00:00.000Z', 5, 0],
      ['2026-03-10T04:00:00.000Z', 2, 0],
      ['2026-03-10T06:00:00.000Z', 0, 3],
    ])
    expect(some[1]).toMatchObject({ failed: 90, by_error: { dns_failed: 90 }, p50_ms: some[0]?.p50_ms })
    // a delivery that was given up is not an attempt, so it has no latency and is not an error
    expect(some[2]).toMatchObject({ failed: 0, by_error: {}, p50_ms: null })
    const ofSecond = await ask({ until: end, bucket: '2h', webhook_id: typeId('wh', second) })
    expect(ofSecond.recorded_since).toBe('2026-03-10T05:15:00.000Z')
  })
})

test('statistics reject another account’s endpoint, too many points and an unknown bucket', async () => {
  await using place = await newDatabasePlace(embedded)
  await using service = await startService(newInstallation(place))
  const customer = await newCustomer(service.url, service.operator)
  const other = await newCustomer(service.url, service.operator)
  const foreign = await other.newWebhook({ url: 'http://127.0.0.1:9/' })
  const refused = async (query: string): Promise<number> =>
    (await customer.api.get(`/v1/stats?${query}`)).status
  expect(await refused(`webhook_id=${foreign.id}`)).toBe(404)
  expect(await refused('since=2020-01-01T00:00:00Z&bucket=1m')).toBe(422)
  expect(await refused('bucket=3h')).toBe(422)
  const { data } = expectStatus(200, await customer.api.get<Stats>('/v1/stats'))
  expect(data).toHaveLength(25)
  expect(data[0]).toMatchObject({ delivered: 0, failed: 0, by_error: {}, p50_ms: null })
})

import { expect } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { startService } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { customerInTraffic } from './customer-in-traffic.ts'
import { fault } from './fault.ts'
import { newHarmedDatabase } from './harmed-database.ts'
import { reconcile } from './reconcile.ts'
import { startTraffic } from './traffic.ts'

const settings = {
  POSTHORN_RETRY_BASE_SECONDS: '1',
  POSTHORN_LEASE_SECONDS: '10',
  POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '3',
}

fault(
  'F12',
  'when statements take two seconds, some requests get 503 but nothing is lost; 200 ms only slows delivery',
  async seen => {
    await using database = await newHarmedDatabase()
    await using receiver = await startReceiver()
    await using service = await startService(database.harmed, settings)
    const { customer, traffic } = await customerInTraffic(service, receiver)
    await receiver.waitForEvents(200)
    database.proxy.slowDown(200)
    const before = receiver.counts().size
    await receiver.waitForEvents(before + 200, 60_000)

    database.proxy.slowDown(2_000)
    // five times as many as there are connections
    const answers = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const response = await fetch(`${service.url}/v1/events`, {
          headers: { authorization: `Bearer ${customer.apiKey}` },
        })
        return [response.status, Number(response.headers.get('retry-after')) > 0]
      }),
    )
    expect(new Set(answers.map(String))).toContain('503,true')
    expect(answers.filter(answer => !['200,false', '503,true'].includes(String(answer)))).toEqual([])
    database.proxy.back()
    await receiver.waitForEvents(receiver.counts().size + 200, 60_000)
    await traffic.stop()
    const { events, duplicates } = await reconcile(customer, receiver, { accepted: traffic.accepted })
    expect([...traffic.answers.keys()].filter(status => status !== 202 && status !== 503)).toEqual([])
    const refused = answers.filter(([status]) => status === 503)
    seen(`${refused.length} of 60 concurrent requests got 503, the others 200`)
    seen(`${events} events, ${duplicates} duplicates`)
  },
)

fault(
  'F14',
  'after deadlocks and serialization failures, work is repeated and nothing is lost',
  async seen => {
    await using database = await newHarmedDatabase()
    await using receiver = await startReceiver()
    await using service = await startService(database.spared, settings)
    await using db = await openOwn(database.databaseUrl)
    const customer = await newCustomer(service.url, service.operator)
    await customer.newWebhook({ url: receiver.url() })
    await failNowAndThen(db)
    const traffic = startTraffic({ url: () => service.url, apiKey: customer.apiKey, pauseMs: 20 })
    await until('so much has failed', async () => (await failures(db)) >= 50, 120_000)
    await traffic.stop()
    const { events, duplicates } = await reconcile(customer, receiver, { accepted: traffic.accepted })
    const refused = traffic.answers.get(503) ?? 0
    expect(new Set(traffic.answers.keys())).toEqual(new Set([202, 503]))
    seen(
      `every tenth statement on four tables failed: ${await failures(db)} statements, ${refused} reports got 503`,
    )
    seen(`${events} events, ${duplicates} duplicates`)
  },
)

fault(
  'F17',
  'rolled-back transactions leave no gap in the sequence numbers, and vacuum locks only delay deliveries',
  async seen => {
    await using database = await newHarmedDatabase()
    await using receiver = await startReceiver()
    await using service = await startService(database.spared, settings)
    await using db = await openOwn(database.databaseUrl)
    const { customer, traffic } = await customerInTraffic(service, receiver)
    await failNowAndThen(db)
    await receiver.waitForEvents(500, 60_000)
    const rounds = 3
    for (let round = 0; round < rounds; round++) {
      for (const table of ['queue', 'process', 'endpoint', 'delivery', 'event'])
        await db.query(`vacuum (full, freeze) ${table}`)
      await db.transaction(async tx => {
        await tx.query('lock table queue in access exclusive mode')
        await tx.query('select pg_sleep(3)')
      })
      await receiver.waitForEvents(receiver.counts().size + 200, 60_000)
    }
    await traffic.stop()
    // `reconcile` looks for gaps
    const { events, duplicates } = await reconcile(customer, receiver, { accepted: traffic.accepted })
    seen(
      `${rounds} rounds of VACUUM FULL on 5 tables and 3 s of ACCESS EXCLUSIVE, ${events} events numbered without a gap`,
    )
    seen(`${duplicates} duplicates`)
  },
)

async function openOwn(url: string): Promise<Database> {
  return await openDatabase({ url, dataDir: '', connectionsMax: 1, onLost: () => {} })
}

/** The number of failed statements. */
async function failures(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>('select last_value as count from failures')
  return row?.count ?? 0
}

/** Makes PostgreSQL refuse every tenth statement that writes to one of four tables or their partitions. */
async function failNowAndThen(db: Database): Promise<void> {
  await db.query('create sequence failures')
  await db.query(`create function fail_now_and_then() returns trigger language plpgsql as $$
    begin
      if random() < 0.1 then
        raise exception 'as PostgreSQL would' using errcode = case when nextval('failures') % 2 = 0
          then 'serialization_failure' else 'deadlock_detected' end;
      end if;
      return null;
    end $$`)
  for (const [table, change] of [
    ['event', 'insert'],
    ['queue', 'insert'],
    ['queue', 'delete'],
    ['delivery', 'update'],
    ['attempt', 'insert'],
  ] as const) {
    const partitions = await db.query<{ name: string }>(
      'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass',
      [table],
    )
    // the hot statements name the partition, and a statement trigger works only on the named table
    for (const name of [table, ...partitions.map(partition => partition.name)]) {
      await db.query(
        `create trigger fail_at_${change} after ${change} on ${name} for each statement execute function fail_now_and_then()`,
      )
    }
  }
}

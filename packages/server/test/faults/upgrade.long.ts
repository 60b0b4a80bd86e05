import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { customerAt, newCustomer } from '../support/api.ts'
import { type CommittedCode, layOutCommit } from '../support/committed-code.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { allBackends, newDatabasePlace, newestServer, withoutTemplate } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'
import { reconcile } from './reconcile.ts'
import { startTraffic } from './traffic.ts'

/** The first commit with this schema. It replaces the previous release until there is one. */
const previousRelease = 'df704fbb475a8c3f98914287e80f33a33e2430f4'

const settings = {
  POSTHORN_LEASE_SECONDS: '5',
  POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '3',
  POSTHORN_RETRY_BASE_SECONDS: '1',
}

let earlier: CommittedCode
let later: CommittedCode
beforeAll(() => {
  earlier = layOutCommit(previousRelease)
  later = layOutCommit('HEAD')
  later.addMigration('9001-later.sql', 'alter table delivery add column brought_later text')
})
afterAll(() => {
  earlier[Symbol.dispose]()
  later[Symbol.dispose]()
})

describe.each(allBackends())('on $name', backend => {
  fault(
    'F60',
    `pending deliveries of the previous release are completed by the new one (${backend.name})`,
    async seen => {
      await using place = await newDatabasePlace(withoutTemplate(backend))
      await using receiver = await startReceiver(() => 503)
      const installation = newInstallation(place)
      const old = await startService({ ...installation, main: earlier.main }, settings)
      const customer = await newCustomer(old.url, old.operator)
      await customer.newWebhook({ url: receiver.url() })
      const waiting = await customer.report(200)
      await until('it was tried in vain', () => receiver.received.length > 0)
      await old.kill()

      receiver.respondWith(() => 204)
      await using service = await startService(installation, settings)
      const after = customerAt(service.url, customer.accountId, customer.apiKey)
      const accepted = [...waiting, ...(await after.report(50))]
      const { events } = await reconcile(after, receiver, { accepted, timeoutMs: 240_000 })
      seen(`${events} events on ${backend.name}`)
    },
  )
})

fault(
  'F60',
  'a migration under load loses no accepted event; the code can be rolled back without the schema',
  async seen => {
    await using place = await newDatabasePlace(withoutTemplate(newestServer()))
    await using receiver = await startReceiver()
    const installation = newInstallation(place)
    const before = { ...installation, main: earlier.main }
    await using old = await startService(before, settings)
    const customer = await newCustomer(old.url, old.operator)
    await customer.newWebhook({ url: receiver.url() })
    let urls = [old.url]
    let requests = 0
    const traffic = startTraffic({
      url: () => urls[requests++ % urls.length] ?? old.url,
      apiKey: customer.apiKey,
      pauseMs: 100,
    })
    await receiver.waitForEvents(300)

    await using fresh = await startService({ ...installation, main: later.main }, settings)
    expect(fresh.output()).toContain('migrated the schema')
    urls = [old.url, fresh.url]
    await receiver.waitForEvents(receiver.counts().size + 1_000)

    urls = [old.url]
    expect(await fresh.stop()).toBe(0)
    await receiver.waitForEvents(receiver.counts().size + 300)
    await using again = await startService(before, settings)
    expect((await fetch(`${again.url}/readyz`)).status).toBe(200)
    urls = [again.url]
    expect(await old.stop()).toBe(0)
    await receiver.waitForEvents(receiver.counts().size + 300)
    await traffic.stop()

    const after = customerAt(again.url, customer.accountId, customer.apiKey)
    const { events, duplicates } = await reconcile(after, receiver, { accepted: traffic.accepted })
    expect([...traffic.answers.keys()].filter(status => ![0, 202, 503].includes(status))).toEqual([])
    seen(`${events} events, ${traffic.answers.get(503) ?? 0} responses with 503, ${duplicates} duplicates`)
  },
)

fault(
  'G9',
  'the previous release and this one share a database, and each completes the other’s deliveries',
  async seen => {
    await using place = await newDatabasePlace(withoutTemplate(newestServer()))
    await using receiver = await startReceiver()
    const installation = newInstallation(place)
    await using fresh = await startService(installation, settings)
    await using old = await startService({ ...installation, main: earlier.main }, settings)
    const customer = await newCustomer(old.url, old.operator)
    await customer.newWebhook({ url: receiver.url() })
    let url = old.url
    const traffic = startTraffic({ url: () => url, apiKey: customer.apiKey, pauseMs: 100 })
    await receiver.waitForEvents(300)
    url = fresh.url
    await receiver.waitForEvents(receiver.counts().size + 300)
    url = old.url
    await fresh.kill()
    await receiver.waitForEvents(receiver.counts().size + 300)
    await using next = await startService(installation, settings)
    await old.kill()
    url = next.url
    await receiver.waitForEvents(receiver.counts().size + 300)
    await traffic.stop()

    const after = customerAt(next.url, customer.accountId, customer.apiKey)
    const { events, duplicates } = await reconcile(after, receiver, { accepted: traffic.accepted })
    seen(`2 kills, ${events} events, ${duplicates} duplicates`)
  },
)

fault(
  'F60',
  'a later release may add columns to every table; this one works until a migration is marked as breaking',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using receiver = await startReceiver()
    const installation = newInstallation(place)
    await using running = await startService(installation, settings)
    const customer = await newCustomer(running.url, running.operator)
    const webhook = await customer.newWebhook({ url: receiver.url() })
    const traffic = startTraffic({ url: () => running.url, apiKey: customer.apiKey, pauseMs: 100 })
    await receiver.waitForEvents(200)
    // one read before, so that each connection has its plans
    await customer.deliveries(webhook.id)

    await using db = await openDatabase({
      url: place.databaseUrl,
      dataDir: '',
      connectionsMax: 1,
      onLost: () => {},
    })
    const tables = await until('the columns are added', async () => {
      try {
        return await addColumnToEveryTable(db)
      } catch (error) {
        // under load a migration can deadlock with a statement, so it is tried again
        if (String(error).includes('deadlock detected')) return undefined
        throw error
      }
    })
    await db.query(`insert into schema_migration (version, name) values (9001, '9001-later.sql')`)
    await receiver.waitForEvents(receiver.counts().size + 200)
    await customer.deliveries(webhook.id)
    await using later = await startService(installation, settings)
    expect((await fetch(`${later.url}/readyz`)).status).toBe(200)
    await traffic.stop()
    const { events } = await reconcile(customer, receiver, { accepted: traffic.accepted })
    expect([...traffic.answers.keys()].filter(status => status !== 202 && status !== 503)).toEqual([])

    await db.query(
      `insert into schema_migration (version, name, breaking) values (9002, '9002-later.sql', true)`,
    )
    const refused = await fetch(`${running.url}/readyz`)
    expect(refused.status).toBe(503)
    expect(await refused.text()).toContain('a newer Posthorn has migrated the schema')
    seen(`a column added to ${tables} tables under load, ${events} events`)
  },
)

/** Like a migration: everything in one transaction. */
async function addColumnToEveryTable(db: Database): Promise<number> {
  return await db.transaction(async tx => {
    const tables = await tx.query<{ name: string }>(
      `select quote_ident(relname) as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
         and relname <> 'schema_migration'
       order by relname`,
    )
    for (const { name } of tables)
      await tx.query(`alter table ${name} add column brought_later text default 'x'`)
    return tables.length
  })
}

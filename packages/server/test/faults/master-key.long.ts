import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createVerifier } from '@posthorn/receiver'
import { expect } from 'vitest'
import { openDatabase } from '../../src/db/open-database.ts'
import { posthorn } from '../cli/posthorn-process.ts'
import { customerAt, newCustomer } from '../support/api.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import { type Installation, newInstallation, startService } from '../support/service-process.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { type DatabasePlace, newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'
import { reconcile } from './reconcile.ts'
import { startTraffic } from './traffic.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const settings = { POSTHORN_RETRY_BASE_SECONDS: '1' }

fault(
  'F54',
  'the master key is replaced under traffic: every delivery verifies, and no attempt fails',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using receiver = await startReceiver()
    const old = newInstallation(place)
    const fresh = `fresh:${randomBytes(32).toString('base64')}`
    const rollout = [`${old.masterKeys},${fresh}`, `${fresh},${old.masterKeys}`]
    await using fleet = await startFleet(old)
    const customer = await newCustomer(fleet.url(), fleet.operator(), 2_000)
    const webhook = await customer.newWebhook({ url: receiver.url(), headers: { 'X-Tenant': 'acme' } })
    // enough for many batches; they subscribe to a type that nothing reports
    await inTurns(400, async n => {
      const url = receiver.url(`/idle/${n}`)
      await customer.newWebhook({ url, events: ['email.unsubscribed'], headers: { 'X-Tenant': 'acme' } })
    })
    const traffic = startTraffic({ url: () => fleet.url(), apiKey: customer.apiKey, batch: 5, pauseMs: 50 })
    const moreArrives = async (): Promise<void> => await receiver.waitForEvents(receiver.counts().size + 100)

    for (const masterKeys of rollout) {
      await fleet.replaceAll({ ...old, masterKeys })
      await moreArrives()
    }
    const env = environment({ ...old, masterKeys: rollout.at(-1) ?? '' })
    const killed = await killInTheMiddle(place, env)
    await moreArrives()
    const rotated = await posthorn(['keys', 'rotate-master', '--json'], { env })
    expect(rotated).toMatchObject({ code: 0, stderr: '' })
    const report = JSON.parse(rotated.stdout) as { resealed: number; sealed: number; left: number }
    expect(report).toMatchObject({ left: 0, removable: ['test'] })
    await fleet.replaceAll({ ...old, masterKeys: fresh })
    await moreArrives()
    await traffic.stop()

    const after = customerAt(fleet.url(), customer.accountId, customer.apiKey)
    const { events } = await reconcile(after, receiver, { accepted: traffic.accepted })
    await expectAllVerify(receiver.received, webhook.secret)
    expect(receiver.received.every(one => one.headers['x-tenant'] === 'acme')).toBe(true)
    const tried = await until('all are settled', async () => {
      const deliveries = await after.deliveries(webhook.id)
      return deliveries.every(one => one.state === 'delivered') && deliveries
    })
    const failures = await failedAttempts(place)
    expect(failures).toBe(0)
    seen(`${tried.length} deliveries of ${events} events, ${failures} failed attempts, 6 restarts`)
    seen(
      `${report.sealed} secrets; rotation killed after ${killed}, then completed with the remaining ${report.resealed}`,
    )
  },
)

fault(
  'F54',
  'if the old key is removed too early, the service does not start, and nothing is sent unsigned',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using receiver = await startReceiver()
    const old = newInstallation(place)
    const fresh = `fresh:${randomBytes(32).toString('base64')}`
    await using api = await startService(old, { POSTHORN_ROLE: 'api' })
    const customer = await newCustomer(api.url, api.operator)
    const webhook = await customer.newWebhook({ url: receiver.url() })
    await customer.report(50)

    const tooEarly = { ...old, masterKeys: fresh }
    await expect(startService(tooEarly)).rejects.toThrow(
      'the master keys do not include "test" (1 encrypted values): add it again',
    )
    const refused = await posthorn(['keys', 'rotate-master'], { env: environment(tooEarly) })
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('do not include "test"'),
    })

    // with another key under the lost key's name, the process starts, but cannot open what the lost key sealed
    const lost = { ...old, masterKeys: `${fresh},test:${randomBytes(32).toString('base64')}` }
    await using without = await startService(lost, { ...settings, POSTHORN_ROLE: 'dispatcher' })
    await until(
      'each was tried',
      async () => (await customer.deliveries(webhook.id, '&state=failed')).length === 50,
    )
    expect(receiver.received).toEqual([])
    expect(await without.stop()).toBe(0)

    await using _with = await startService(old, { ...settings, POSTHORN_ROLE: 'dispatcher' })
    await receiver.waitForEvents(50)
    await expectAllVerify(receiver.received, webhook.secret)
    seen('50 pending deliveries, 0 requests without the key, 50 with it')
  },
)

interface Fleet extends AsyncDisposable {
  /** The URL of the two processes in turn. */
  url(): string
  operator(): ServiceProcess['operator']
  /** A rolling restart. */
  replaceAll(installation: Installation): Promise<void>
}

async function startFleet(first: Installation): Promise<Fleet> {
  const services = [await startService(first, settings), await startService(first, settings)] as [
    ServiceProcess,
    ServiceProcess,
  ]
  let turn = 0
  const next = (): ServiceProcess => services[turn++ % 2 === 0 ? 0 : 1]
  return {
    url: () => next().url,
    operator: () => next().operator,
    replaceAll: async installation => {
      for (const place of [0, 1] as const) {
        expect(await services[place].stop()).toBe(0)
        services[place] = await startService(installation, settings)
      }
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(services.map(async service => await service[Symbol.asyncDispose]()))
    },
  }
}

/**
 * Starts to seal everything again, kills the process in the middle, and resolves with the number of sealed rows. It cannot
 * finish, because others have locked some rows.
 */
async function killInTheMiddle(place: DatabasePlace, env: Record<string, string>): Promise<number> {
  await using db = await openDatabase({
    ...place,
    url: place.databaseUrl,
    connectionsMax: 1,
    onLost: () => {},
  })
  const done = await db.transaction(async tx => {
    await tx.query('select from signing_key order by id limit 300 for update')
    // without the launcher of the command line, so that the signal reaches the working process
    const rotation = spawn(
      process.execPath,
      ['--conditions=@posthorn/source', main, 'keys', 'rotate-master'],
      {
        env: { PATH: process.env['PATH'], ...env },
      },
    )
    let said = ''
    rotation.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
    const someDone = / ([1-9]\d*) of \d+ secrets\n$/
    await until('some are done', () => someDone.test(said), 55_000)
    rotation.kill('SIGKILL')
    await once(rotation, 'close')
    return Number(someDone.exec(said)?.[1])
  })
  expect(await underOldKey(place)).toBeGreaterThanOrEqual(300)
  return done
}

async function underOldKey(place: DatabasePlace): Promise<number> {
  return await countRows(place, `signing_key where substr(secret_sealed, 3, 4) = 'test'`)
}

async function failedAttempts(place: DatabasePlace): Promise<number> {
  return await countRows(place, 'attempt where error_code is not null')
}

async function countRows(place: DatabasePlace, from: string): Promise<number> {
  await using db = await openDatabase({
    ...place,
    url: place.databaseUrl,
    connectionsMax: 1,
    onLost: () => {},
  })
  const rows = await db.query<{ count: number }>(`select count(*) as count from ${from}`)
  return rows[0]?.count ?? 0
}

async function expectAllVerify(received: readonly Received[], secret: string): Promise<void> {
  const verifier = createVerifier({ secrets: secret, toleranceSeconds: 3_600 })
  for (const one of received) expect((await verifier.safeVerify(one.body, one.signature)).ok).toBe(true)
}

function environment({ place, masterKeys }: Installation): Record<string, string> {
  return {
    POSTHORN_DATA_DIR: place.dataDir,
    DATABASE_URL: String(place.databaseUrl),
    POSTHORN_MASTER_KEYS: masterKeys,
  }
}

async function inTurns(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (next < count) await work(next++)
    }),
  )
}

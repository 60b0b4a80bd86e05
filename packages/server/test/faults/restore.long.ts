import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openDatabase } from '../../src/db/open-database.ts'
import { posthorn } from '../cli/posthorn-process.ts'
import { customerAt, newCustomer } from '../support/api.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import {
  type Installation,
  newInstallation,
  type ServiceProcess,
  startService,
} from '../support/service-process.ts'
import { type DatabasePlace, embedded, newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'
import { reconcile } from './reconcile.ts'

const waiting = 200
const drainPerSecond = 40
const settings = {
  POSTHORN_LEASE_SECONDS: '5',
  POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '3',
  POSTHORN_RETRY_BASE_SECONDS: '1',
  POSTHORN_DRAIN_PER_SECOND: String(drainPerSecond),
}

const promise = 'after a restore, deliveries that the backup lists as pending are sent again without a burst'

fault('F58', `${promise} (embedded: restore)`, async seen => {
  await using place = await newDatabasePlace(embedded)
  await using elsewhere = await emptyPlace()
  await using receiver = await startReceiver(() => undefined)
  const installation = newInstallation(place)
  const file = join(elsewhere.dataDir, 'backup.tar.gz')
  const env = { POSTHORN_ADMIN_TOKEN: installation.adminToken, POSTHORN_MASTER_KEYS: installation.masterKeys }

  const service = await startService(installation, settings)
  const customer = await leaveWaiting(service, receiver)
  expect(await posthorn(['backup', file], { env: { ...env, POSTHORN_URL: service.url } })).toMatchObject({
    code: 0,
  })
  await deliverAll(receiver)
  expect(await service.stop()).toBe(0)

  const there = { ...env, POSTHORN_DATA_DIR: elsewhere.dataDir }
  const restored = await posthorn(['restore', file, '--json'], { env: there })
  expect(JSON.parse(restored.stdout)).toMatchObject({ deliveries_due: waiting, endpoints: 1 })
  seen(await expectNoStorm({ ...installation, place: elsewhere }, receiver, customer))
})

fault('F58', `${promise} (PostgreSQL: pace-backlog)`, async seen => {
  await using place = await newDatabasePlace(newestServer())
  await using receiver = await startReceiver(() => undefined)
  const installation = newInstallation(place)
  const first = await startService(installation, settings)
  const customer = await leaveWaiting(first, receiver)
  await first.kill()
  await using copy = await copyOf(place)
  const second = await startService(installation, settings)
  await deliverAll(receiver)
  expect(await second.stop()).toBe(0)

  const env = { DATABASE_URL: copy.databaseUrl ?? '' }
  const paced = await posthorn(['pace-backlog', '--json'], { env })
  expect(JSON.parse(paced.stdout)).toMatchObject({ deliveries_due: waiting, endpoints: 1 })
  seen(await expectNoStorm({ ...installation, place: copy }, receiver, customer))
})

async function leaveWaiting(service: ServiceProcess, receiver: Receiver) {
  const customer = await newCustomer(service.url, service.operator)
  await customer.newWebhook({ url: receiver.url() })
  const events = await customer.report(waiting)
  await until('an attempt hangs', () => receiver.received.length > 0)
  return { ...customer, events }
}

async function deliverAll(receiver: Receiver): Promise<void> {
  const succeeded = new Set<string>()
  receiver.respondWith(({ eventId }) => {
    succeeded.add(eventId)
    return 204
  })
  await until('all are delivered', () => succeeded.size === waiting, 120_000)
}

/**
 * The restored installation must send its whole backlog no faster than the drain rate, plus one second's worth of saved
 * tokens.
 */
async function expectNoStorm(
  installation: Installation,
  receiver: Receiver,
  { accountId, apiKey, events }: Awaited<ReturnType<typeof leaveWaiting>>,
): Promise<string> {
  const before = receiver.received.length
  await using service = await startService(installation, settings)
  const again = (): number => receiver.received.length - before
  await until('all are sent again', () => again() >= waiting, 120_000)
  const times = receiver.received.slice(before).map(one => one.atMs)
  const seconds = (Math.max(...times) - Math.min(...times)) / 1_000
  // a busy machine may delay the first delivery but not the last one, so half of the time is slow enough
  expect(seconds).toBeGreaterThan((waiting / drainPerSecond - 1) / 2)
  const after = customerAt(service.url, accountId, apiKey)
  const accepted = [...events, ...(await after.report(20))]
  await reconcile(after, receiver, { accepted })
  expect(await service.stop()).toBe(0)
  return `${waiting} sent again in ${seconds.toFixed(1)} s`
}

async function emptyPlace(): Promise<DatabasePlace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'posthorn-test-'))
  return {
    databaseUrl: null,
    dataDir,
    [Symbol.asyncDispose]: async () => rmSync(dataDir, { recursive: true }),
  }
}

/** Copies a database within its server: a backup and its restore in one statement. */
async function copyOf(place: DatabasePlace): Promise<DatabasePlace> {
  const copy = await newDatabasePlace(newestServer())
  const name = (url: string | null): string => new URL(url ?? '').pathname.slice(1)
  const url = newestServer().serverUrl
  await using server = await openDatabase({ url, dataDir: '', connectionsMax: 1, onLost: () => {} })
  await server.query(`drop database ${name(copy.databaseUrl)}`)
  await server.query(`create database ${name(copy.databaseUrl)} template ${name(place.databaseUrl)}`)
  return copy
}

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { newCustomer } from '../support/api.ts'
import { copyEmbeddedDatabase } from '../support/embedded-template.ts'
import { findPostgres, startPostgres } from '../support/postgres-server.ts'
import { startReceiver } from '../support/receiver.ts'
import {
  type Installation,
  newInstallation,
  type ServiceProcess,
  startService,
} from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { customerInTraffic } from './customer-in-traffic.ts'
import { fault } from './fault.ts'
import { reconcile } from './reconcile.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'
import { startTraffic } from './traffic.ts'

const settings = {
  POSTHORN_RETRY_BASE_SECONDS: '1',
  POSTHORN_LEASE_SECONDS: '5',
  POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '2',
}

fault(
  'F8',
  'while the database’s disk is full, reports get 503; once there is space, delivery resumes without a restart',
  async seen => {
    const [installed] = findPostgres().toReversed()
    if (installed === undefined) throw new Error('no PostgreSQL on this machine: npm ci brings one')
    using disk = mountSmallDisk(400)
    await using server = await startPostgres(installed, disk.folder)
    await using place = await newDatabasePlace({ name: 'on a small disk', serverUrl: server.url('postgres') })
    await using receiver = await startReceiver()
    await using service = await startService(newInstallation(place), settings)
    const { customer, traffic } = await customerInTraffic(service, receiver)
    await receiver.waitForEvents(300)
    disk.fill()
    const refusals = 100
    await until('reports are refused', () => (traffic.answers.get(503) ?? 0) >= refusals, 120_000)
    const accepted = traffic.accepted.length
    disk.free()
    await until('reports are taken again', () => traffic.accepted.length >= accepted + 500, 60_000)
    await traffic.stop()
    const { events, duplicates } = await reconcile(customer, receiver, { accepted: traffic.accepted })
    expect(new Set(traffic.answers.keys())).toEqual(new Set([202, 503]))
    seen(`disk full: ${traffic.answers.get(503)} reports got 503; ${events} events, ${duplicates} duplicates`)
  },
)

fault('F8', 'with only 256 file descriptors, nothing is lost and the process keeps running', async seen => {
  await using place = await newDatabasePlace(newestServer())
  const hanging = new Set<string>()
  await using receiver = await startReceiver(({ path, eventId, attempt }) => {
    if (path === '/hook') return 204
    // each delivery uses its socket until its first attempt has timed out
    if (attempt === 1) hanging.add(eventId)
    return attempt === 1 ? undefined : 204
  })
  await using service = await startService(newInstallation(place), settings)
  execFileSync('prlimit', ['--pid', String(service.pid), '--nofile=256:256'])
  const customer = await newCustomer(service.url, service.operator)
  await customer.newWebhook({ url: receiver.url() })
  const paths = Array.from({ length: 20 }, (_, n) => `/hanging/${n}`)
  const traffic = startTraffic({ url: () => service.url, apiKey: customer.apiKey, pauseMs: 50 })
  await receiver.waitForEvents(200)
  const wanting = await newCustomer(service.url, service.operator)
  for (const path of paths) await wanting.newWebhook({ url: receiver.url(path) })
  const wanted = await wanting.report(20)
  await until('sockets hang', () => hanging.size > 0)

  const port = Number(new URL(service.url).port)
  const callers = Array.from({ length: 300 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  const refused = await Promise.all(
    callers.map(async socket => {
      await Promise.race([once(socket, 'connect'), once(socket, 'close')])
      return socket.destroyed
    }),
  )
  for (const socket of callers) socket.destroy()
  await receiver.waitForEvents(receiver.counts().size + 200, 60_000)
  await traffic.stop()
  await until('what wanted sockets arrives', () => arrivedAt(paths[0]) === wanted.length, 120_000)
  const first = await reconcile(customer, receiver, { accepted: traffic.accepted })
  const second = await reconcile(wanting, receiver, { accepted: wanted, paths })
  expect(service.output()).not.toContain('"reason"')
  seen(
    `256 descriptors, 20 hanging endpoints and ${refused.length} callers: ${first.events + second.events} events`,
  )

  function arrivedAt(path = ''): number {
    return new Set(receiver.received.filter(one => one.path === path).map(one => one.eventId)).size
  }
})

fault(
  'F8',
  'while the embedded database’s disk is full, reports get 503 and /readyz says why; with space it recovers on its own',
  async seen => {
    using disk = mountSmallDisk(400)
    await using receiver = await startReceiver()
    await using service = await startEmbeddedOn(disk)
    const { customer, traffic } = await customerInTraffic(service, receiver)
    await receiver.waitForEvents(300)
    disk.fill(roomForRowsMebibytes)
    await until('the database is ended, because it cannot go on', () => saysFull(service), 120_000)
    const refused = traffic.answers.get(503) ?? 0
    await until('reports are refused at once', () => (traffic.answers.get(503) ?? 0) >= refused + 50)
    const readiness = await fetch(`${service.url}/readyz`)
    expect([readiness.status, await readiness.text()]).toEqual([
      503,
      expect.stringContaining('free some space'),
    ])
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
    const accepted = traffic.accepted.length
    disk.free()
    await until('reports are taken again', () => traffic.accepted.length >= accepted + 500, 60_000)
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
    await traffic.stop()
    const { events, duplicates } = await reconcile(customer, receiver, { accepted: traffic.accepted })
    expect(new Set(traffic.answers.keys())).toEqual(new Set([202, 503]))
    seen(
      `embedded, disk full: ${traffic.answers.get(503)} reports got 503; ${events} events, ${duplicates} duplicates`,
    )
  },
)

fault(
  'F8',
  'a service whose embedded database has no space exits within 30 seconds of SIGTERM, and nothing is lost',
  async seen => {
    using disk = mountSmallDisk(400)
    await using receiver = await startReceiver()
    const before = await startEmbeddedOn(disk)
    const { customer, traffic } = await customerInTraffic(before, receiver)
    await receiver.waitForEvents(300)
    disk.fill(roomForRowsMebibytes)
    await until('the database is ended, because it cannot go on', () => saysFull(before), 120_000)
    const startedMs = performance.now()
    await before.stop()
    const seconds = (performance.now() - startedMs) / 1_000
    expect(seconds).toBeLessThan(30)
    disk.free()
    await using _after = await startService(before.installation, {
      ...settings,
      POSTHORN_PORT: new URL(before.url).port,
    })
    await traffic.stop()
    const { events } = await reconcile(customer, receiver, { accepted: traffic.accepted })
    seen(`embedded, disk full: exited ${seconds.toFixed(1)} s after SIGTERM, ${events} events, none lost`)
  },
)

/** Enough space for rows for a while, but not for the next WAL file (16 MiB). */
const roomForRowsMebibytes = 10

function saysFull(service: ServiceProcess): boolean {
  return service.output().includes('free some space')
}

async function startEmbeddedOn(disk: SmallDisk): Promise<ServiceProcess & { installation: Installation }> {
  const dataDir = join(disk.folder, 'data')
  await copyEmbeddedDatabase(dataDir, 'schema')
  const place = { databaseUrl: null, dataDir, [Symbol.asyncDispose]: async () => {} }
  const installation = newInstallation(place)
  return { ...(await startService(installation, settings)), installation }
}

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'vitest'
import { newCustomer } from '../support/api.ts'
import { findPostgres, startPostgres } from '../support/postgres-server.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { customerInTraffic } from './customer-in-traffic.ts'
import { fault } from './fault.ts'
import { reconcile } from './reconcile.ts'
import { mountSmallDisk } from './small-disk.ts'
import { startTraffic } from './traffic.ts'

const settings = {
  POSTHORN_RETRY_BASE_SECONDS: '1',
  POSTHORN_LEASE_SECONDS: '5',
  POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '2',
}

fault(
  'F8',
  'while the database’s disk is full each report is answered 503; with room again all goes on by itself',
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
    seen(
      `disk full: ${traffic.answers.get(503)} reports refused; ${events} events, ${duplicates} delivered twice`,
    )
  },
)

fault(
  'F8',
  'with 256 file descriptors and more wanted, nothing is lost and the process lives',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    const hanging = new Set<string>()
    await using receiver = await startReceiver(({ path, eventId, attempt }) => {
      if (path === '/hook') return 204
      // each delivery holds its socket until its first attempt has timed out
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
      `256 descriptors, 20 endpoints that hang and ${refused.length} callers: ${first.events + second.events} events`,
    )

    function arrivedAt(path = ''): number {
      return new Set(receiver.received.filter(one => one.path === path).map(one => one.eventId)).size
    }
  },
)

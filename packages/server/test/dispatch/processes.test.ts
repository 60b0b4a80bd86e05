import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/db/open-database.ts'
import { customerAt, expectStatus, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, spawnService, startService } from '../support/service-process.ts'
import { allBackends, embedded, newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'

test('a second process on the same data directory is rejected in one line, and nothing is lost', async () => {
  await using place = await newDatabasePlace(embedded)
  await using receiver = await startReceiver()
  const installation = newInstallation(place)
  await using service = await startService(installation)
  const customer = await newCustomer(service.url, service.operator)
  const webhook = await customer.newWebhook({ url: receiver.url() })
  await customer.report(50)

  const second = spawnService(installation)
  let said = ''
  second.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
  const [code] = (await once(second, 'exit')) as [number]
  expect(code).toBe(1)
  expect(said).toMatch(/^posthorn: .* is in use by another Posthorn process; .*\n$/)

  await customer.report(50)
  await receiver.waitForEvents(100)
  expect(await service.stop()).toBe(0)
  await using again = await startService(installation)
  const later = customerAt(again.url, customer.accountId, customer.apiKey)
  expect(await later.deliveries(webhook.id)).toHaveLength(100)
})

test('a client that stops in the middle of its request does not delay the shutdown', async () => {
  await using place = await newDatabasePlace(newestServer())
  await using service = await startService(newInstallation(place))
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  const closed = once(socket, 'close')
  socket.on('error', () => {}).resume()
  socket.write(
    `POST /v1/sessions HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
  )
  // the answer to a later request shows that the service has read the first one
  await service.operator.get('/v1/accounts')
  const stopped = service.stop()
  await closed
  expect(await stopped).toBe(0)
})

describe.each(allBackends())('on $name', backend => {
  test('a stopped service finishes attempts in flight and exits with 0', async () => {
    await using place = await newDatabasePlace(backend)
    const answers: Array<() => void> = []
    await using receiver = await startReceiver((_, response) => {
      answers.push(() => response.writeHead(204).end())
      return undefined
    })
    const installation = newInstallation(place)
    await using service = await startService(installation)
    const customer = await newCustomer(service.url, service.operator)
    const webhook = await customer.newWebhook({ url: receiver.url() })
    const [eventId] = await customer.report(1)
    await until('the attempt is under way', () => answers.length === 1)

    const stopped = service.stop()
    await until('it drains', () => service.output().includes('draining'))
    for (const answer of answers) answer()
    expect(await stopped).toBe(0)

    await using again = await startService(installation)
    const later = customerAt(again.url, customer.accountId, customer.apiKey)
    const [delivery] = await later.deliveries(webhook.id)
    expect(delivery).toMatchObject({ event_id: eventId, state: 'delivered', attempt_count: 1 })
    expect(receiver.received).toHaveLength(1)
  })
})

test('deliveries of a killed process are sent by another process when the lease ends', async () => {
  await using place = await newDatabasePlace(newestServer())
  await using receiver = await startReceiver(() => undefined)
  const installation = newInstallation(place)
  const settings = { POSTHORN_LEASE_SECONDS: '4', POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '2.5' }
  await using dying = await startService(installation, settings)
  await using living = await startService(installation, settings)
  const customer = await newCustomer(dying.url, dying.operator)
  const webhook = await customer.newWebhook({ url: receiver.url() })
  await customer.report(10)
  await until('it is sending', () => receiver.received.length >= 10)
  await dying.kill()
  receiver.respondWith(() => 204)

  const heir = customerAt(living.url, customer.accountId, customer.apiKey)
  const delivered = await until('all are delivered', async () => {
    const deliveries = await heir.deliveries(webhook.id, '&state=delivered')
    return deliveries.length === 10 ? deliveries : undefined
  })
  // the dead process wrote no attempts
  expect(delivered.map(one => one.attempt_count)).toEqual(Array.from({ length: 10 }, () => 1))
  expect([...receiver.counts().values()]).toEqual(Array.from({ length: 10 }, () => 2))
})

test('a delivery lost with eight processes is exhausted, and those lost with fewer are sent', async () => {
  const backend = newestServer()
  await using place = await newDatabasePlace(backend)
  await using receiver = await startReceiver()
  const installation = newInstallation(place)
  await using api = await startService(installation, { POSTHORN_ROLE: 'api' })
  const customer = await newCustomer(api.url, api.operator)
  const webhook = await customer.newWebhook({ url: receiver.url() })
  await customer.report(4)
  const [, second, third, fourth] = (await customer.deliveries(webhook.id)).toReversed()
  await using db = await openDatabase({
    url: place.databaseUrl,
    dataDir: '',
    connectionsMax: 1,
    onLost: () => {},
  })
  for (const [delivery, losses] of [
    [second, 3],
    [third, 8],
    [fourth, 6],
  ] as const) {
    await db.query('update queue set lost_claims = $1 where sequence = $2', [losses, delivery?.sequence])
  }

  await using _dispatcher = await startService(installation, { POSTHORN_ROLE: 'dispatcher' })
  await receiver.waitForEvents(3)
  const states = await until('all are settled', async () => {
    const all = (await customer.deliveries(webhook.id)).toReversed()
    return all.every(one => one.state !== 'pending') ? all.map(one => [one.state, one.reason]) : undefined
  })
  expect(states).toEqual([
    ['delivered', null],
    ['delivered', null],
    ['exhausted', 'process_lost'],
    ['delivered', null],
  ])
})

test('a process with role api sends nothing, and one with role dispatcher serves only health checks', async () => {
  await using place = await newDatabasePlace(newestServer())
  await using receiver = await startReceiver()
  const installation = newInstallation(place)
  await using api = await startService(installation, { POSTHORN_ROLE: 'api' })
  const customer = await newCustomer(api.url, api.operator)
  const webhook = await customer.newWebhook({ url: receiver.url() })
  await customer.report(5)
  expect((await customer.deliveries(webhook.id)).every(one => one.state === 'pending')).toBe(true)

  await using dispatcher = await startService(installation, { POSTHORN_ROLE: 'dispatcher' })
  await receiver.waitForEvents(5)
  expect((await fetch(`${dispatcher.url}/readyz`)).status).toBe(200)
  expect((await fetch(`${dispatcher.url}/v1/accounts`)).status).toBe(404)
  // the other process wakes it, well before its next poll
  await customer.report(1)
  await receiver.waitForEvents(6, 4_000)
})

test('the old URL of an endpoint gets nothing after PATCH has returned', async () => {
  await using place = await newDatabasePlace(newestServer())
  await using before = await startReceiver()
  await using after = await startReceiver()
  const installation = newInstallation(place)
  await using first = await startService(installation)
  await using second = await startService(installation)
  const customer = await newCustomer(first.url, first.operator)
  const other = customerAt(second.url, customer.accountId, customer.apiKey)
  const webhook = await customer.newWebhook({ url: before.url() })
  let loading = true
  const load = [customer, other].map(async one => {
    while (loading) await one.report(10)
  })
  await before.waitForEvents(50)
  expectStatus(200, await customer.api.patch(`/v1/webhooks/${webhook.id}`, { url: after.url() }))
  const answeredAtMs = Date.now()
  await after.waitForEvents(50)
  loading = false
  await Promise.all(load)
  expect(before.received.filter(one => one.atMs > answeredAtMs + 100)).toEqual([])
})

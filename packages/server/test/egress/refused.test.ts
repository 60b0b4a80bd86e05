import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createAddressPolicy } from '../../src/domain/address-policy.ts'
import { Handshake } from '../../src/egress/handshake.ts'
import { Origin } from '../../src/egress/origin.ts'
import { HostResolver } from '../../src/egress/resolve-host.ts'
import { TlsStarter } from '../../src/egress/start-tls.ts'
import { loopbackSpellings } from './loopback-spellings.ts'
import { answering, openTestEgress, post } from './open-test-egress.ts'
import { answer, startCannedReceiver } from './raw-receiver.ts'

test('no spelling of a loopback address gets a connection unless the operator allows it', async () => {
  await using receiver = await startCannedReceiver(answer(200))
  await using egress = openTestEgress({ allowCidrs: [] })
  for (const spelling of loopbackSpellings) {
    const exchange = await post(egress, spelling.replace('PORT', String(receiver.port)))
    expect(exchange, spelling).toMatchObject({
      outcome: 'failure',
      statusCode: null,
      error: { code: 'address_refused', message: expect.stringMatching(/^[A-Z].*\.$/) },
    })
  }
  expect(receiver.connections).toHaveLength(0)

  await using opened = openTestEgress()
  expect((await post(opened, receiver.url)).outcome).toBe('success')
})

test.each([
  '127.0.0.1',
  '0.0.0.0',
  '10.1.2.3',
  '169.254.169.254',
  '100.100.100.200',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  'fd00:ec2::254',
  'fe80::1',
  '127.1',
  'localhost',
])('a name that resolves to %s is rejected, and the message does not reveal the address', async address => {
  await using receiver = await startCannedReceiver(answer(200))
  await using egress = openTestEgress({
    allowCidrs: [],
    resolver: answering({ 'hooks.example.com': [address] }),
  })
  const exchange = await post(egress, `http://hooks.example.com:${receiver.port}/`)
  expect(exchange.error?.code).toBe('address_refused')
  expect(exchange.error?.message).not.toContain(address)
  expect(receiver.connections).toHaveLength(0)
})

test('a network that the operator denies gets no connection, although the operator also allows it', async () => {
  await using receiver = await startCannedReceiver(answer(200))
  const names = answering({ 'hooks.example.com': ['127.0.0.1'] })
  await using egress = openTestEgress({
    allowCidrs: ['127.0.0.0/8'],
    denyCidrs: ['127.0.0.1/32'],
    resolver: names,
  })
  for (const host of ['127.0.0.1', 'hooks.example.com'])
    expect((await post(egress, `http://${host}:${receiver.port}/`)).error?.code).toBe('address_refused')
  expect(receiver.connections).toHaveLength(0)
})

test('one denied address among allowed ones blocks the delivery, in any position and address family', async () => {
  await using receiver = await startCannedReceiver(answer(200))
  for (const addresses of [
    ['127.0.0.1', '10.0.0.1'],
    ['10.0.0.1', '127.0.0.1'],
    ['127.0.0.1', 'fd00::1'],
    [...Array.from({ length: 20 }, (_, index) => `127.0.0.${index + 1}`), '192.168.0.1'],
  ]) {
    await using egress = openTestEgress({ resolver: answering({ 'hooks.example.com': addresses }) })
    expect((await post(egress, `http://hooks.example.com:${receiver.port}/`)).error?.code).toBe(
      'address_refused',
    )
  }
  expect(receiver.connections).toHaveLength(0)
})

test('a name that changes to a private address between two attempts is rejected at the second', async () => {
  let aheadMs = 0
  const hosts = { 'rebind.example.com': ['127.0.0.1'] }
  const resolver = answering(hosts)
  await using receiver = await startCannedReceiver(answer(200))
  await using egress = openTestEgress({ resolver, monotonicMs: () => performance.now() + aheadMs })
  const url = `http://rebind.example.com:${receiver.port}/`

  expect((await post(egress, url)).outcome).toBe('success')
  hosts['rebind.example.com'] = ['10.0.0.1']
  aheadMs = 60_001

  expect((await post(egress, url)).error?.code).toBe('address_refused')
  expect(receiver.connections).toHaveLength(1)
  expect(resolver.asked).toBe(2)

  hosts['rebind.example.com'] = ['127.0.0.1']
  expect((await post(egress, url)).error?.code).toBe('address_refused')
  aheadMs += 5_001
  expect((await post(egress, url)).outcome).toBe('success')
})

test('DNS is asked only once a minute for a host, regardless of the number of attempts', async () => {
  const resolver = answering({ 'hooks.example.com': ['127.0.0.1'] })
  await using receiver = await startCannedReceiver(answer(200))
  await using egress = openTestEgress({ resolver })
  const url = `http://hooks.example.com:${receiver.port}/`
  await Promise.all(Array.from({ length: 20 }, () => post(egress, url)))
  await post(egress, url)
  expect(resolver.asked).toBe(1)
})

test('localhost means this machine without DNS, once it is allowed in both address families', async () => {
  const resolver = answering({ localhost: ['10.0.0.1'] })
  await using receiver = await startCannedReceiver(answer(200))
  const url = `http://localhost:${receiver.port}/`
  await using both = openTestEgress({ resolver })
  expect((await post(both, url)).outcome).toBe('success')
  await using half = openTestEgress({ resolver, allowCidrs: ['127.0.0.0/8'] })
  expect((await post(half, url)).error?.code).toBe('address_refused')
  expect(resolver.asked).toBe(0)
})

test('internal names work once something is allowed, and lead only to allowed addresses', async () => {
  await using receiver = await startCannedReceiver(answer(200))
  await using egress = openTestEgress({
    resolver: answering({ receiver: ['127.0.0.1'], 'crm.internal': ['10.0.0.1'] }),
  })
  expect((await post(egress, `http://receiver:${receiver.port}/`)).outcome).toBe('success')
  expect((await post(egress, `http://crm.internal:${receiver.port}/`)).error?.code).toBe('address_refused')
})

test('a socket connected to a private address is closed even if the resolver allowed it', async () => {
  await using receiver = await startCannedReceiver(answer(200))
  const monotonicMs = () => performance.now()
  const opened = createAddressPolicy(['127.0.0.0/8'])
  const origin = new Origin(new URL(receiver.url), monotonicMs)
  const sockets = new Set<Socket>()
  const tools = {
    resolver: new HostResolver(opened, monotonicMs),
    tls: new TlsStarter(monotonicMs),
    proxy: null,
    source: null,
    sockets,
    monotonicMs,
  }

  const strict = new Handshake(origin, { ...tools, policy: createAddressPolicy([]) }).open()
  await expect(strict).rejects.toMatchObject({ code: 'address_refused' })
  await expect.poll(() => sockets.size).toBe(0)

  const connection = await new Handshake(origin, { ...tools, policy: opened }).open()
  expect(sockets.size).toBe(1)
  connection.destroy()
  expect(receiver.received()).toBe('')
})

test.each([
  ['ENOTFOUND', 'no address'],
  ['ENODATA', 'no address'],
  ['ESERVFAIL', 'SERVFAIL'],
  ['ETIMEOUT', 'did not answer within 3 s'],
])('the DNS error %s is reported as dns_failed', async (code, words) => {
  const fail = () => Promise.reject(Object.assign(new Error('x'), { code }))
  await using egress = openTestEgress({ resolver: { resolve4: fail, resolve6: fail } })
  const exchange = await post(egress, 'http://hooks.example.com/')
  expect(exchange).toMatchObject({ statusCode: null, error: { code: 'dns_failed' } })
  expect(exchange.error?.message).toContain(words)
})

test('a DNS answer for one address family is enough', async () => {
  await using receiver = await startCannedReceiver(answer(200))
  const resolver = {
    resolve4: () => Promise.resolve(['127.0.0.1']),
    resolve6: () => Promise.reject(Object.assign(new Error('x'), { code: 'ESERVFAIL' })),
  }
  await using egress = openTestEgress({ resolver })
  expect((await post(egress, `http://hooks.example.com:${receiver.port}/`)).outcome).toBe('success')
})

test('DNS that never answers for one address family does not block the attempt', async () => {
  await using receiver = await startCannedReceiver(answer(200))
  const resolver = {
    resolve4: () => Promise.resolve(['127.0.0.1']),
    resolve6: () => new Promise<string[]>(() => {}),
  }
  await using egress = openTestEgress({ resolver })
  expect((await post(egress, `http://hooks.example.com:${receiver.port}/`)).outcome).toBe('success')
})

test('only the first 16 of 500 DNS answers are used', async () => {
  const many = Array.from({ length: 500 }, (_, index) => `127.0.${index >> 8}.${index & 255}`)
  const resolver = answering({ 'hooks.example.com': many })
  const hosts = new HostResolver(createAddressPolicy(['127.0.0.0/8']), () => 0, { resolver })
  expect(await hosts.resolve('hooks.example.com')).toEqual(many.slice(0, 16))
})

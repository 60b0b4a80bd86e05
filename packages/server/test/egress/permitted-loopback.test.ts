import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createAddressPolicy } from '../../src/domain/address-policy.ts'
import type { Egress } from '../../src/egress/egress.ts'
import { Handshake } from '../../src/egress/handshake.ts'
import { Origin } from '../../src/egress/origin.ts'
import { HostResolver } from '../../src/egress/resolve-host.ts'
import { TlsStarter } from '../../src/egress/start-tls.ts'
import { answering, openTestEgress } from './open-test-egress.ts'
import { answer, startCannedReceiver, startRawReceiver } from './raw-receiver.ts'

/** Settings of a server: no range is allowed, and http is refused. */
const strict = { allowCidrs: [], allowHttp: false }

async function outcome(egress: Egress, url: string, loopbackOrigin: string | null): Promise<string> {
  const { error } = await egress.post({ url, loopbackOrigin, headers: [], body: Buffer.from('{}') })
  return error?.code ?? 'success'
}

test('a permission lets only that endpoint reach its loopback address and port', async () => {
  await using receiver = await startCannedReceiver(answer(200))
  await using egress = openTestEgress(strict)
  const origin = `http://127.0.0.1:${receiver.port}`

  expect(await outcome(egress, `${origin}/webhooks`, null)).toBe('address_refused')
  expect(await outcome(egress, `${origin}/webhooks`, origin)).toBe('success')
  // the cached decision for one endpoint does not apply to others
  expect(await outcome(egress, `${origin}/webhooks`, null)).toBe('address_refused')
  expect(receiver.connections).toHaveLength(1)
})

test('a permission covers no other port, address, scheme or name', async () => {
  await using receiver = await startCannedReceiver(answer(200))
  await using other = await startCannedReceiver(answer(200))
  const hosts = { 'hooks.example.com': ['127.0.0.1'], localhost: ['127.0.0.1'] }
  await using egress = openTestEgress({ ...strict, resolver: answering(hosts) })
  const { port } = receiver
  const origin = `http://127.0.0.1:${port}`
  for (const url of [
    `http://127.0.0.1:${other.port}/`,
    `http://127.0.0.2:${port}/`,
    `http://[::1]:${port}/`,
    `http://localhost:${port}/`,
    `http://hooks.example.com:${port}/`,
    `https://127.0.0.1:${port}/`,
    `http://127.1:${port}/`,
    `http://2130706433:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://127.0.0.1:${port}@127.0.0.1:${other.port}/`,
    `http://169.254.169.254/`,
    'http://10.0.0.1/',
    'https://example.com/',
  ]) {
    expect(await outcome(egress, url, origin), url).toBe('address_refused')
  }
  expect([receiver.connections, other.connections]).toEqual([[], []])
  expect(await outcome(egress, `${origin}/`, origin)).toBe('success')
})

test('a permission for anything but a loopback address has no effect', async () => {
  await using receiver = await startCannedReceiver(answer(200))
  const resolver = answering({ 'hooks.example.com': ['127.0.0.1'], localhost: ['127.0.0.1', '::1'] })
  await using egress = openTestEgress({ ...strict, resolver })
  for (const host of ['localhost', 'hooks.example.com', '0.0.0.0', '10.0.0.1', '169.254.169.254']) {
    const origin = `http://${host}:${receiver.port}`
    expect(await outcome(egress, `${origin}/`, origin), host).toBe('address_refused')
  }
  expect(receiver.connections).toHaveLength(0)
})

test('a permitted receiver cannot redirect to another address', async () => {
  await using inside = await startCannedReceiver(answer(200))
  await using receiver = await startCannedReceiver(answer(307, { location: inside.url }))
  await using egress = openTestEgress(strict)
  const origin = `http://127.0.0.1:${receiver.port}`

  expect(await outcome(egress, `${origin}/`, origin)).toBe('redirect_refused')
  expect(inside.connections).toHaveLength(0)
})

test('a socket connected to an address other than the permitted one is closed', async () => {
  await using receiver = await startCannedReceiver(answer(200))
  const monotonicMs = () => performance.now()
  const policy = createAddressPolicy(['0.0.0.0/0', '::/0'])
  const sockets = new Set<Socket>()
  const tools = {
    policy,
    resolver: new HostResolver(policy, monotonicMs),
    tls: new TlsStarter(monotonicMs),
    proxy: null,
    source: null,
    sockets,
    monotonicMs,
  }
  // it connects to 127.0.0.1, and the socket reports the address in another form
  const origin = new Origin(new URL(`http://[::ffff:127.0.0.1]:${receiver.port}/`), monotonicMs, {
    isPermittedLoopback: true,
  })

  await expect(new Handshake(origin, tools).open()).rejects.toMatchObject({ code: 'address_refused' })
  await expect.poll(() => sockets.size).toBe(0)
})

test('the IPv6 loopback address can also be permitted', async () => {
  await using receiver = await startRawReceiver(
    socket => socket.write(answer(200)),
    () => {},
    '::1',
  )
  await using egress = openTestEgress(strict)
  const origin = `http://[::1]:${receiver.port}`

  expect(await outcome(egress, `${origin}/webhooks`, origin)).toBe('success')
  expect(await outcome(egress, `http://127.0.0.1:${receiver.port}/`, origin)).toBe('address_refused')
})

test('a URL check ignores loopback permissions', async () => {
  await using receiver = await startCannedReceiver(answer(200))
  await using egress = openTestEgress(strict)
  const origin = `http://127.0.0.1:${receiver.port}`
  const request = { url: `${origin}/`, headers: [], loopbackOrigin: origin }

  expect((await egress.head(request)).error?.code).toBe('address_refused')
  expect(receiver.connections).toHaveLength(0)
})

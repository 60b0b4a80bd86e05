import { setDefaultCACertificates } from 'node:tls'
import { expect, test } from 'vitest'
import { parseProxyUrl } from '../../src/domain/proxy-url.ts'
import type { EgressProxy } from '../../src/egress/proxy-tunnel.ts'
import { canRun, hasProgram } from '../support/can-run.ts'
import { freePort } from '../support/free-port.ts'
import { startTlsReceiver } from '../support/tls-receiver.ts'
import { makeCertificate } from './certificate.ts'
import { startListening } from './listening-program.ts'
import { answering, openTestEgress, post } from './open-test-egress.ts'
import { answer, startCannedReceiver, startRawReceiver } from './raw-receiver.ts'

const proxyAt = (port: number, user = '', checksAddresses = false): EgressProxy => ({
  ...parseProxyUrl(`socks5://${user}127.0.0.1:${port}`),
  checksAddresses,
})
const resolver = answering({
  'hooks.example.com': ['127.0.0.1'],
  'six.example.com': ['::1'],
  'inside.example.com': ['10.0.0.1'],
})

const runs = canRun('deliveries through a real SOCKS5 proxy', hasProgram('microsocks'), 'microsocks')

test.runIf(runs)('a real SOCKS5 proxy with a password passes deliveries on, and refuses others', async () => {
  const port = await freePort()
  const options = ['-i', '127.0.0.1', '-p', String(port), '-u', 'ann', '-P', 'secret']
  await using _proxy = await startListening(port, 'microsocks', options)
  await using receiver = await startCannedReceiver(answer(200))
  const postThrough = async (proxy: EgressProxy, host: string, receiverPort = receiver.port) => {
    await using egress = openTestEgress({ proxy, resolver })
    return await post(egress, `http://${host}:${receiverPort}/`)
  }

  const login = proxyAt(port, 'ann:secret@')
  expect((await postThrough(login, 'hooks.example.com')).statusCode).toBe(200)
  const authority = makeCertificate({ name: 'Authority', isAuthority: true })
  setDefaultCACertificates([authority.cert])
  const certificate = makeCertificate({ name: 'receiver', hosts: ['localhost'], issuer: authority })
  await using tlsReceiver = await startTlsReceiver(certificate, (_request, response) => response.end())
  await using throughTls = openTestEgress({ proxy: login })
  for (let count = 0; count < 2; count++)
    expect((await post(throughTls, tlsReceiver.url('/'))).statusCode).toBe(200)

  const byName = proxyAt(port, 'ann:secret@', true)
  expect((await postThrough(byName, 'localhost')).statusCode).toBe(200)

  const refused = await postThrough(login, 'hooks.example.com', await freePort())
  expect(refused.error?.code).toBe('connect_refused')
  expect(refused.error?.message).toContain('Our proxy could not connect to it (connection refused).')
  for (const wrong of [proxyAt(port, 'ann:wrong@'), proxyAt(port)]) {
    const { error } = await postThrough(wrong, 'hooks.example.com')
    expect(error?.message).toContain('our proxy failed: it did not accept the user and password')
  }
})

/** A SOCKS5 proxy without a password that refuses everything with this reply, and notes what it was asked for. */
async function startRefusing(reply: number) {
  const asked: string[] = []
  const refusal = Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0])
  const server = await startRawReceiver((socket, text) => {
    if (text === '\x05\x01\x00') return socket.write(Buffer.from([5, 0]))
    asked.push(Buffer.from(text, 'latin1').toString('hex'))
    return socket.write(refusal)
  })
  return { port: server.port, asked, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

test('a SOCKS5 proxy is asked for the checked address, and never for a denied one', async () => {
  await using proxy = await startRefusing(5)
  await using egress = openTestEgress({ proxy: proxyAt(proxy.port), resolver })
  await post(egress, 'http://hooks.example.com:8080/')
  await post(egress, 'http://six.example.com:8080/')
  expect(proxy.asked).toEqual([`05010001${'7f000001'}1f90`, `05010004${'0'.repeat(31)}1${'1f90'}`])
  const denied = await post(egress, 'http://inside.example.com:8080/')
  expect(denied.error?.code).toBe('address_refused')
  expect(proxy.asked).toHaveLength(2)
})

test('a SOCKS5 proxy that checks addresses itself is asked for the name, which is not resolved', async () => {
  await using proxy = await startRefusing(5)
  const names = answering({})
  await using egress = openTestEgress({ proxy: proxyAt(proxy.port, '', true), resolver: names })
  await post(egress, 'http://a.example:8080/')
  expect(proxy.asked).toEqual([`05010003${'09'}${Buffer.from('a.example').toString('hex')}1f90`])
  expect(names.asked).toBe(0)
})

test.each([
  { reply: 2, code: 'address_refused', message: /hooks\.example\.com/ },
  { reply: 4, code: 'connect_refused', message: /Our proxy could not connect to it \(host unreachable\)/ },
  { reply: 7, code: 'unknown', message: /our proxy failed: its answer is not SOCKS5/ },
  { reply: 99, code: 'unknown', message: /our proxy failed: its answer is not SOCKS5/ },
])('a SOCKS5 proxy that replies $reply fails the attempt with $code', async ({ reply, code, message }) => {
  await using proxy = await startRefusing(reply)
  await using egress = openTestEgress({ proxy: proxyAt(proxy.port), resolver })
  const { error } = await post(egress, 'http://hooks.example.com:8080/')
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) as string })
})

test.each([
  { what: 'speaks HTTP', serve: 'HTTP/1.1 400 Bad Request\r\n\r\n', message: /its answer is not SOCKS5/ },
  { what: 'hangs up', serve: null, message: /it closed the connection/ },
])('a proxy that $what fails the attempt, and the message blames the proxy', async ({ serve, message }) => {
  await using proxy = await startRawReceiver(socket => (serve === null ? socket.end() : socket.write(serve)))
  await using egress = openTestEgress({ proxy: proxyAt(proxy.port), resolver })
  const { error } = await post(egress, 'http://hooks.example.com:8080/')
  expect(error).toMatchObject({ code: 'unknown', message: expect.stringMatching(message) as string })
})

test('a SOCKS5 proxy that never answers ends the attempt at its deadline, and no socket stays open', async () => {
  await using proxy = await startRawReceiver(() => {})
  await using egress = openTestEgress({ proxy: proxyAt(proxy.port), resolver, attemptTimeoutMs: 300 })
  const { error } = await post(egress, 'http://hooks.example.com:8080/')
  expect(error?.code).toBe('connect_timeout')
  await expect.poll(() => egress.openSockets).toBe(0)
})

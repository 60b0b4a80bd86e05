import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseProxyUrl } from '../../src/domain/proxy-url.ts'
import type { EgressProxy } from '../../src/egress/proxy-tunnel.ts'
import { canRun, hasProgram } from '../support/can-run.ts'
import { freePort } from '../support/free-port.ts'
import { makeCertificate } from './certificate.ts'
import { startListening } from './listening-program.ts'
import { answering, openTestEgress, post } from './open-test-egress.ts'
import { answer, startCannedReceiver } from './raw-receiver.ts'

const proxyAt = (port: number, user = '', checksAddresses = false): EgressProxy => ({
  ...parseProxyUrl(`http://${user}127.0.0.1:${port}`),
  checksAddresses,
})

const runs = canRun('deliveries through a real proxy', hasProgram('tinyproxy'), 'tinyproxy')

test.runIf(runs)('a real proxy with a password passes deliveries on, and refuses them without', async () => {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-proxy-'))
  const config = join(folder, 'tinyproxy.conf')
  writeFileSync(
    config,
    `Port ${port}\nListen 127.0.0.1\nAllow 127.0.0.1\nBasicAuth ann secret\nLogFile "${folder}/log"\n`,
  )
  try {
    await using _proxy = await startListening(port, 'tinyproxy', ['-d', '-c', config])
    await using receiver = await startCannedReceiver(answer(200))
    await using through = openTestEgress({ proxy: proxyAt(port, 'ann:secret@') })
    for (let count = 0; count < 2; count++) expect((await post(through, receiver.url)).statusCode).toBe(200)
    await using without = openTestEgress({ proxy: proxyAt(port) })
    expect((await post(without, receiver.url)).outcome).toBe('failure')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

describe('a proxy', () => {
  /** A proxy that answers every request with this, and keeps the requests. It opens a tunnel if the answer is null. */
  async function startProxy(reply: string | null) {
    const asked: string[] = []
    const sockets = new Set<Socket>()
    const server = createServer(socket => {
      sockets.add(socket.on('error', () => {}))
      socket.once('data', bytes => {
        asked.push(String(bytes))
        if (reply !== null) return reply === '' ? socket.end() : socket.write(reply)
        const [, host = '', port = ''] = /^CONNECT \[?([^\]\s]+?)\]?:(\d+) /.exec(String(bytes)) ?? []
        const target = connect(Number(port), host.endsWith('.example.com') ? '127.0.0.1' : host)
        sockets.add(target.on('error', () => socket.destroy()))
        target.once('connect', () => {
          socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
          socket.pipe(target).pipe(socket)
        })
        return undefined
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return {
      port: (server.address() as AddressInfo).port,
      asked,
      [Symbol.asyncDispose]: async () => {
        for (const socket of sockets) socket.destroy()
        server.close()
        await once(server, 'close')
      },
    }
  }
  const resolver = answering({ 'hooks.example.com': ['127.0.0.1'], 'inside.example.com': ['10.0.0.1'] })

  test('is asked for the address that was checked, and never for a denied one', async () => {
    await using proxy = await startProxy(null)
    await using receiver = await startCannedReceiver(answer(200))
    await using egress = openTestEgress({ proxy: proxyAt(proxy.port), resolver })
    const exchange = await post(egress, `http://hooks.example.com:${receiver.port}/`)
    expect(exchange.statusCode).toBe(200)
    expect(proxy.asked).toEqual([
      `CONNECT 127.0.0.1:${receiver.port} HTTP/1.1\r\nHost: 127.0.0.1:${receiver.port}\r\n\r\n`,
    ])
    const denied = await post(egress, `http://inside.example.com:${receiver.port}/`)
    expect(denied.error?.code).toBe('address_refused')
    expect(proxy.asked).toHaveLength(1)
  })

  test('that checks addresses itself is asked for the name, which is not resolved', async () => {
    await using proxy = await startProxy(null)
    await using receiver = await startCannedReceiver(answer(200))
    const names = answering({})
    await using egress = openTestEgress({ proxy: proxyAt(proxy.port, '', true), resolver: names })
    expect((await post(egress, `http://hooks.example.com:${receiver.port}/`)).statusCode).toBe(200)
    expect(proxy.asked[0]).toContain(`CONNECT hooks.example.com:${receiver.port} HTTP/1.1\r\n`)
    expect(names.asked).toBe(0)
  })

  test('passes TLS on, and the certificate must have the name of the endpoint', async () => {
    await using proxy = await startProxy(null)
    const stranger = makeCertificate({ name: 'hooks.example.com', hosts: ['hooks.example.com'] })
    const { createServer: createTlsServer } = await import('node:tls')
    const server = createTlsServer({ cert: stranger.cert, key: stranger.key }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await using egress = openTestEgress({ proxy: proxyAt(proxy.port), resolver, ports: [port] })
    const exchange = await post(egress, `https://hooks.example.com:${port}/`)
    expect(exchange.error?.code).toMatch(/^tls_/)
    expect(exchange.certificate?.issuer).toBe('hooks.example.com')
    server.close()
  })

  test.each([
    { reply: 'HTTP/1.1 403 Forbidden\r\n\r\n', code: 'address_refused', message: /hooks\.example\.com/ },
    { reply: 'HTTP/1.1 407 Denied\r\n\r\n', code: 'address_refused', message: /hooks\.example\.com/ },
    { reply: 'HTTP/1.1 502 Bad Gateway\r\n\r\n', code: 'connect_refused', message: /Our proxy .*502/ },
    { reply: 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n', code: 'unknown', message: /our proxy failed/ },
    { reply: 'SSH-2.0-OpenSSH_9\r\n\r\n', code: 'unknown', message: /its answer is not HTTP/ },
    { reply: 'x'.repeat(9_000), code: 'unknown', message: /its answer is not HTTP/ },
    { reply: '', code: 'unknown', message: /it closed the connection/ },
  ])('that answers $reply fails the attempt with $code', async ({ reply, code, message }) => {
    await using proxy = await startProxy(reply)
    await using egress = openTestEgress({ proxy: proxyAt(proxy.port), resolver })
    const exchange = await post(egress, 'http://hooks.example.com:8080/')
    expect(exchange.error).toMatchObject({ code, message: expect.stringMatching(message) as string })
  })

  test('that nobody runs fails the attempt, and the message blames the proxy', async () => {
    await using egress = openTestEgress({ proxy: proxyAt(await freePort()), resolver })
    const { error } = await post(egress, 'http://hooks.example.com:8080/')
    expect(error).toMatchObject({ code: 'unknown', message: expect.stringContaining('our proxy failed') })
  })

  test('that never answers ends the attempt at the time limit for connecting', async () => {
    await using proxy = await startProxy('HTTP/1.1 ')
    await using egress = openTestEgress({ proxy: proxyAt(proxy.port), resolver })
    const { error } = await post(egress, 'http://hooks.example.com:8080/')
    expect(error?.code).toBe('connect_timeout')
  })
})

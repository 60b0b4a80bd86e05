import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setDefaultCACertificates } from 'node:tls'
import { expect, test } from 'vitest'
import { until } from '../support/until.ts'
import { makeCertificate } from './certificate.ts'
import { keepConnection } from './kept-connection.ts'
import { openTestEgress, post } from './open-test-egress.ts'
import { startRawReceiver } from './raw-receiver.ts'

test('if handshakes hang, only a few are started, and the open connection serves all requests in order', async () => {
  await using door = await startDoor()
  door.admits = n => n === 0
  await using egress = openTestEgress()
  const paths = Array.from({ length: 200 }, (_, n) => `/${n}`)
  const exchanges = await Promise.all(paths.map(path => post(egress, door.url + path)))
  expect(exchanges.every(({ outcome }) => outcome === 'success')).toBe(true)
  expect(door.asked).toEqual(paths)
  expect(door.connections).toHaveLength(21)
})

test('a failed handshake fails no attempt while another handshake for it is running', async () => {
  await using door = await startDoor()
  await using egress = openTestEgress()
  await keepConnection(egress, door)
  door.admits = () => false
  const [before, asked] = [door.connections.length, door.asked.length]
  const held = post(egress, `${door.url}/held`)
  await until('the request is there', () => door.asked.length > asked)
  const [first, second] = [post(egress, `${door.url}/1`), post(egress, `${door.url}/2`)]
  await until('both wait for a handshake', () => door.connections.length === before + 2)

  door.held?.end()
  expect((await Promise.all([held, first])).map(({ statusCode }) => statusCode)).toEqual([204, 204])
  door.connections[before]?.destroy()
  await until('one handshake is left', () => egress.openSockets === 2)
  door.admit(before + 1)
  expect((await second).statusCode).toBe(204)
})

test('attempts that wait for a handshake end at their deadlines and leave no socket open', async () => {
  await using silent = await startRawReceiver(() => {})
  await using egress = openTestEgress({ attemptTimeoutMs: 500 })
  const url = `https://127.0.0.1:${silent.port}/`
  const exchanges = await Promise.all(Array.from({ length: 60 }, () => post(egress, url)))
  expect(new Set(exchanges.map(({ error }) => error?.code))).toEqual(new Set(['connect_timeout']))
  expect(silent.connections).toHaveLength(20)
  await until('all sockets are closed', () => egress.openSockets === 0)
})

test('if every handshake fails, each attempt fails with one, and the next handshakes start', async () => {
  await using broken = await startRawReceiver(socket => socket.resetAndDestroy())
  await using egress = openTestEgress()
  const url = `https://127.0.0.1:${broken.port}/`
  const exchanges = await Promise.all(Array.from({ length: 60 }, () => post(egress, url)))
  expect(new Set(exchanges.map(({ error }) => error?.code))).toEqual(new Set(['tls_failed']))
  expect(broken.connections).toHaveLength(60)
})

/** A TLS receiver that lets the handshakes of connections hang until the test admits them. */
interface Door extends AsyncDisposable {
  readonly url: string
  readonly connections: Socket[]
  /** The requested paths, in order. */
  readonly asked: string[]
  /** The answer to `/held`. */
  held: ServerResponse | null
  admits: (n: number) => boolean
  admit(n: number): void
}

async function startDoor(): Promise<Door> {
  const authority = makeCertificate({ name: 'Authority of this door', isAuthority: true })
  setDefaultCACertificates([authority.cert])
  const certificate = makeCertificate({ name: 'receiver', hosts: ['localhost'], issuer: authority })
  const receiver = createHttpsServer(certificate, (request, response) => {
    door.asked.push(request.url ?? '')
    response.writeHead(204)
    if (request.url === '/held') door.held = response
    else request.resume().once('end', () => response.end())
  })
  const receiverPort = await listen(receiver)
  const server = createServer(socket => {
    socket.on('error', () => {})
    const n = door.connections.push(socket) - 1
    if (door.admits(n)) door.admit(n)
  })
  const door: Door = {
    url: `https://localhost:${await listen(server)}`,
    connections: [],
    asked: [],
    held: null,
    admits: () => true,
    admit: n => {
      const socket = door.connections[n]
      socket?.pipe(connect(receiverPort, '127.0.0.1').on('error', () => {})).pipe(socket)
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of door.connections) socket.destroy()
      receiver.closeAllConnections()
      receiver.close()
      server.close()
      await once(server, 'close')
    },
  }
  return door
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

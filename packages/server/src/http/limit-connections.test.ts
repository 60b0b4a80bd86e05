import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { limitConnections } from './limit-connections.ts'

test('at the limit, the oldest connection with unfinished headers is closed, and later ones are served', async () => {
  const server = createServer((_request, response) => response.end('served'))
  server.headersTimeout = 0
  limitConnections(server, 2)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const openSlowly = async (): Promise<Socket> => {
    const accepted = once(server, 'connection') as Promise<[Socket]>
    const socket = await openTo(server)
    const [atServer] = await accepted
    socket.write('G')
    await expect.poll(() => atServer.bytesRead).toBe(1)
    return socket
  }
  const [older, newer] = [await openSlowly(), await openSlowly()]

  expect(await text(await openTo(server)), 'beyond the limit').toBe('')
  expect(await text(older)).toBe('')
  const again = await openTo(server)
  again.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  expect(await text(again)).toMatch(/served$/)
  newer.write('ET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  expect(await text(newer)).toMatch(/served$/)
  server.close()
})

async function openTo(server: Server): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

test('at the limit, idle connections are closed at once, and connections with a request are kept', async () => {
  let answer = (): void => {}
  const server = createServer((_request, response) => {
    answer = () => response.end('late')
  })
  // no connection is closed because its headers are late
  server.headersTimeout = 0
  limitConnections(server, 3)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const open = async (): Promise<Socket> => await openTo(server)
  const asking = await open()
  const first = once(server, 'request')
  asking.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  await first
  const idle = [await open(), await open()]
  const closed = Promise.all(idle.map(async socket => await text(socket)))

  const fourth = await open()
  expect(await text(fourth)).toBe('')
  await closed
  const again = await open()
  answer()
  expect(await text(asking)).toMatch(/late$/)
  const asked = once(server, 'request')
  again.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  await asked
  answer()
  expect(await text(again)).toMatch(/late$/)
  server.close()
})

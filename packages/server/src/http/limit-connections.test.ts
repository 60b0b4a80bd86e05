import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { limitConnections } from './limit-connections.ts'

test('idle connections give way to new ones at once, and those with a request do not', async () => {
  let answer = (): void => {}
  const server = createServer((_request, response) => {
    answer = () => response.end('late')
  })
  // no connection is closed because its headers are late
  server.headersTimeout = 0
  limitConnections(server, 3)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
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

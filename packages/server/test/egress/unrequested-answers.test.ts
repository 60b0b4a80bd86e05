import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { keepConnection } from './kept-connection.ts'
import { openTestEgress, post } from './open-test-egress.ts'
import { answer, startRawReceiver } from './raw-receiver.ts'

const stray = { 'x-stray': '1' }

test.each([200, 408, 410])(
  'a %i that was received before the request was written is no answer to it',
  async status => {
    let asked = 0
    await using receiver = await startRawReceiver(socket =>
      socket.write(answer(204, { 'x-n': `${++asked}` })),
    )
    await using egress = openTestEgress()
    await keepConnection(egress, receiver)
    const before = { asked, connections: receiver.connections.length }
    receiver.connections[0]?.write(answer(status, stray))

    const exchange = await post(egress, receiver.url)

    expect(exchange.responseHeaders).toMatchObject({ 'x-n': `${before.asked + 1}` })
    expect(exchange).toMatchObject({ statusCode: 204, phases: { connectMs: expect.any(Number) } })
    expect(receiver.connections).toHaveLength(before.connections + 1)
    expect(asked).toBe(before.asked + 1)
  },
)

test('an answer that nobody asked for is no answer to the request that follows the first one at once', async () => {
  let asked = 0
  await using receiver = await startRawReceiver(socket => {
    asked++
    if (asked > 1) return void setTimeout(() => socket.write(answer(204)), 50)
    socket.write(answer(204))
    setTimeout(() => socket.write(answer(200, stray)), 4)
  })
  await using egress = openTestEgress()
  await post(egress, receiver.url)
  expect(await post(egress, receiver.url)).toMatchObject({ statusCode: 204 })
})

test('requests to a receiver that sends a second answer after each one get their own answers', async () => {
  await using receiver = await startRawReceiver((socket, text) => {
    socket.write(answer(204, { 'x-path': pathOf(text) }))
    setTimeout(() => socket.write(answer(200, stray)), 4)
  })
  await using egress = openTestEgress()
  const paths = Array.from({ length: 300 }, (_, n) => `/${n}`)
  const answered: Array<[string, string | undefined]> = []
  const send = async (): Promise<void> => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
      const { responseHeaders } = await post(egress, `http://127.0.0.1:${receiver.port}${path}`)
      answered.push([path, responseHeaders?.['x-path']])
    }
  }

  await Promise.all(Array.from({ length: 20 }, send))

  expect(answered).toHaveLength(300)
  expect(answered.filter(([path, to]) => path !== to)).toEqual([])
})

test('a receiver that sent bytes that nobody asked for gets each request on its own connection', async () => {
  let nowMs = 0
  await using receiver = await startRawReceiver(socket => socket.write(answer(204)))
  await using egress = openTestEgress({ monotonicMs: () => nowMs })
  await keepConnection(egress, receiver)
  receiver.connections[0]?.write('?')
  const before = receiver.connections.length

  for (let n = 0; n < 5; n++) await post(egress, receiver.url)

  expect(receiver.connections).toHaveLength(before + 5)
  nowMs += 10 * 60_000
  await keepConnection(egress, receiver)
})

test('an answer with bytes after its end ends the reuse of connections to that receiver', async () => {
  await using receiver = await startRawReceiver((socket, text) =>
    socket.write(answer(204) + (pathOf(text) === '/surplus' ? '\r\n' : '')),
  )
  await using egress = openTestEgress()
  await keepConnection(egress, receiver)
  const before = receiver.connections.length

  await post(egress, `http://127.0.0.1:${receiver.port}/surplus`)
  for (let n = 0; n < 5; n++) await post(egress, receiver.url)

  expect(receiver.connections).toHaveLength(before + 5)
})

test('a 408 on a kept connection says that the request came too late for it, so it is sent on another', async () => {
  const used = new WeakSet<Socket>()
  let asked = 0
  await using receiver = await startRawReceiver((socket, text) => {
    asked++
    socket.write(answer(used.has(socket) && pathOf(text) === '/late' ? 408 : 204))
    used.add(socket)
  })
  await using egress = openTestEgress()
  await keepConnection(egress, receiver)
  const before = asked

  const exchange = await post(egress, `http://127.0.0.1:${receiver.port}/late`)

  expect(exchange).toMatchObject({ outcome: 'success', statusCode: 204 })
  expect(asked).toBe(before + 2)
})

function pathOf(request: string): string {
  return / (\S+) HTTP/.exec(request)?.[1] ?? ''
}

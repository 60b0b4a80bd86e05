import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { keepConnection } from './kept-connection.ts'
import { openTestEgress, post } from './open-test-egress.ts'
import { answer, startRawReceiver } from './raw-receiver.ts'

const stray = { 'x-stray': '1' }

test.each([200, 408, 410])(
  'a %i received before the request was written does not count as its answer',
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

test('an answer without a request does not count for a request that follows immediately', async () => {
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

test('each request gets its own answer if the receiver sends a second one after each', async () => {
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

test('a receiver that sent bytes without a request gets each request on its own connection', async () => {
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

test('an answer with extra bytes after its end stops connection reuse for that receiver', async () => {
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

test('after a 408 on a kept connection, the request is sent again on another connection', async () => {
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

import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { keepConnection } from './kept-connection.ts'
import { openTestEgress, post } from './open-test-egress.ts'
import { answer, startRawReceiver } from './raw-receiver.ts'

test.each([
  ['resets', (socket: Socket) => socket.resetAndDestroy()],
  ['closes', (socket: Socket) => socket.destroy()],
])(
  'a request is repeated on a new connection if the receiver %s a kept-alive connection instead of answering',
  async (_name, hangUp) => {
    let hangsUp = false
    await using receiver = await startRawReceiver(socket => {
      if (!hangsUp) return void socket.write(answer(204))
      hangsUp = false
      hangUp(socket)
    })
    await using egress = openTestEgress()
    await keepConnection(egress, receiver)
    const before = receiver.connections.length
    hangsUp = true

    expect(await post(egress, receiver.url)).toMatchObject({
      outcome: 'success',
      phases: { connectMs: expect.any(Number) },
    })
    expect(receiver.connections).toHaveLength(before + 1)

    // its connections are no longer reused
    await post(egress, receiver.url)
    await post(egress, receiver.url)
    expect(receiver.connections).toHaveLength(before + 3)
  },
)

test('a request is sent again only once, and never after a failure on a new connection', async () => {
  let hangsUp = false
  let asked = 0
  await using receiver = await startRawReceiver(socket => {
    asked++
    if (hangsUp) socket.resetAndDestroy()
    else socket.write(answer(204))
  })
  await using egress = openTestEgress()
  await keepConnection(egress, receiver)
  hangsUp = true

  asked = 0
  expect((await post(egress, receiver.url)).error?.code).toBe('connection_reset')
  expect(asked).toBe(2)

  asked = 0
  expect((await post(egress, receiver.url)).error?.code).toBe('connection_reset')
  expect(asked).toBe(1)
})

test('a request is not sent again once a byte of its answer has arrived', async () => {
  let breaksOff = false
  let asked = 0
  await using receiver = await startRawReceiver(socket => {
    asked++
    if (breaksOff) socket.end('HTTP/1.1 20')
    else socket.write(answer(204))
  })
  await using egress = openTestEgress()
  await keepConnection(egress, receiver)
  breaksOff = true
  asked = 0
  expect((await post(egress, receiver.url)).error?.code).toBe('connection_reset')
  expect(asked).toBe(1)
})

test('a receiver that closes after each answer without notice fails no attempt', async () => {
  await using receiver = await startRawReceiver(socket => {
    if (socket.writableEnded) return
    socket.write(answer(204))
    setTimeout(() => socket.destroy(), 1)
  })
  await using egress = openTestEgress()
  const outcomes: string[] = []
  const send = async (): Promise<void> => {
    for (let n = 0; n < 30; n++) outcomes.push((await post(egress, receiver.url)).outcome)
  }
  await Promise.all(Array.from({ length: 10 }, send))
  expect(outcomes.filter(outcome => outcome !== 'success')).toEqual([])
})

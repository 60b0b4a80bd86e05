import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { startDeafPort } from './deaf-port.ts'
import { keepConnection } from './kept-connection.ts'
import { answering, openTestEgress, post } from './open-test-egress.ts'
import { answer, startCannedReceiver, startRawReceiver } from './raw-receiver.ts'
import { until } from '../support/until.ts'

test('consecutive requests share a connection, and only the first reports how it was opened', async () => {
  await using receiver = await startCannedReceiver(answer(200))
  await using egress = openTestEgress()
  const first = await post(egress, receiver.url)
  await keepConnection(egress, receiver)
  const opened = receiver.connections.length
  for (let n = 0; n < 3; n++) {
    expect((await post(egress, receiver.url)).phases).toEqual({
      dnsMs: null,
      connectMs: null,
      tlsMs: null,
      firstByteMs: expect.any(Number),
    })
  }
  expect(receiver.connections).toHaveLength(opened)
  expect(first.phases).toMatchObject({ connectMs: expect.any(Number), firstByteMs: expect.any(Number) })
})

test('no connection is reused until one to that receiver has stayed quiet after an answer', async () => {
  await using receiver = await startCannedReceiver(answer(200))
  await using egress = openTestEgress()
  await Promise.all([post(egress, receiver.url), post(egress, receiver.url)])
  await post(egress, receiver.url)
  expect(receiver.connections).toHaveLength(3)
})

test('answers that arrive byte by byte over many connections at once are not mixed up', async () => {
  const asked = new Map<Socket, string>()
  await using receiver = await startRawReceiver((socket, text) => {
    asked.set(socket, /POST \/(\d+) /.exec(text)?.[1] ?? '')
    if (asked.size === 20)
      sayInTurn(new Map([...asked].map(([to, n]) => [to, answer(500, { 'x-n': n }, `${n} said so`)])))
  })
  await using egress = openTestEgress()
  const exchanges = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => await post(egress, `http://127.0.0.1:${receiver.port}/${n}`)),
  )
  expect(
    exchanges.map(({ responseHeaders, responseBody }) => [responseHeaders?.['x-n'], responseBody]),
  ).toEqual(Array.from({ length: 20 }, (_, n) => [`${n}`, `${n} said so`]))
})

test('each answer is read correctly, whether or not its head repeats the previous one', async () => {
  const heads = [
    answer(200, { 'x-n': '1' }),
    answer(200, { 'x-n': '1' }),
    answer(500, { 'x-n': '2' }),
    answer(204),
  ]
  await using receiver = await startRawReceiver(socket => socket.write(heads.shift() ?? ''))
  await using egress = openTestEgress()
  const told: unknown[] = []
  for (let n = 0; n < 4; n++) {
    const { statusCode, responseHeaders } = await post(egress, receiver.url)
    told.push([statusCode, responseHeaders?.['x-n']])
  }
  expect(told).toEqual([
    [200, '1'],
    [200, '1'],
    [500, '2'],
    [204, undefined],
  ])
})

test('parallel requests each use their own connection, and later requests reuse these connections', async () => {
  await using receiver = await startCannedReceiver(answer(200))
  await using egress = openTestEgress()
  await keepConnection(egress, receiver)
  const opened = receiver.connections.length
  for (let round = 0; round < 3; round += 1) {
    const exchanges = await Promise.all(Array.from({ length: 10 }, () => post(egress, receiver.url)))
    expect(exchanges.every(({ outcome }) => outcome === 'success')).toBe(true)
  }
  expect(receiver.connections).toHaveLength(opened + 9)
  expect(egress.openSockets).toBe(10)
})

test('a connection is not reused after a minute', async () => {
  let aheadMs = 0
  await using receiver = await startCannedReceiver(answer(200))
  await using egress = openTestEgress({ monotonicMs: () => performance.now() + aheadMs })
  await keepConnection(egress, receiver)
  const opened = receiver.connections.length
  aheadMs = 60_000
  expect((await post(egress, receiver.url)).outcome).toBe('success')
  expect(receiver.connections).toHaveLength(opened + 1)
})

test.each([
  ['announces that it closes', answer(200, { connection: 'close' })],
  [
    'keeps idle connections only for a second',
    answer(200, { connection: 'keep-alive', 'keep-alive': 'timeout=1' }),
  ],
])('after a receiver that %s, the next request uses a new connection', async (_name, bytes) => {
  let says = answer(200)
  await using receiver = await startRawReceiver(socket => socket.write(says))
  await using egress = openTestEgress()
  await keepConnection(egress, receiver)
  const opened = receiver.connections.length
  says = bytes
  expect((await post(egress, receiver.url)).phases.connectMs).toBe(null)
  expect((await post(egress, receiver.url)).outcome).toBe('success')
  expect(receiver.connections).toHaveLength(opened + 1)
})

test('an idle connection closes on its own before the receiver’s keep-alive timeout', async () => {
  await using receiver = await startCannedReceiver(answer(200, { 'keep-alive': 'timeout=3' }))
  await using egress = openTestEgress()
  await keepConnection(egress, receiver)
  await expect.poll(() => egress.openSockets, { timeout: 5_000 }).toBe(0)
  expect((await post(egress, receiver.url)).outcome).toBe('success')
})

test('a connection that the receiver closed while it was idle fails no attempt', async () => {
  await using receiver = await startCannedReceiver(answer(200))
  await using egress = openTestEgress()
  await keepConnection(egress, receiver)
  receiver.connections[0]?.destroy()
  for (let round = 0; round < 20; round += 1) {
    await post(egress, receiver.url)
    const last = receiver.connections.at(-1)
    if (round % 2 === 0) last?.resetAndDestroy()
    else last?.destroy()
    // closed by the receiver; the result must not depend on whether the client has noticed
    if (last !== undefined) await once(last, 'close')
    expect(await post(egress, receiver.url), `round ${round}`).toMatchObject({ outcome: 'success' })
  }
})

test('a connection that the receiver closed while the event loop was blocked is not reused', async () => {
  await using receiver = await startCannedReceiver(answer(200))
  await using egress = openTestEgress()
  await keepConnection(egress, receiver)
  const opened = receiver.connections.length
  // continue in another iteration of the event loop than the answer
  await stat('.')
  receiver.connections[0]?.destroy()
  const stoodStillUntilMs = performance.now() + 10
  while (performance.now() < stoodStillUntilMs);
  expect(await post(egress, receiver.url)).toMatchObject({ outcome: 'success' })
  expect(receiver.connections).toHaveLength(opened + 1)
})

test('disposing ends attempts in flight, closes every socket and can be repeated', async () => {
  await using answers = await startCannedReceiver(answer(200))
  await using hangs = await startRawReceiver(() => {})
  const egress = openTestEgress()
  await post(egress, answers.url)
  const hanging = post(egress, hangs.url)
  await expect.poll(() => hangs.received()).not.toBe('')
  expect(egress.openSockets).toBe(2)

  await egress[Symbol.asyncDispose]()

  expect(egress.openSockets).toBe(0)
  expect((await hanging).error?.code).toBe('aborted_by_shutdown')
  expect((await post(egress, answers.url)).error?.code).toBe('aborted_by_shutdown')
  await egress[Symbol.asyncDispose]()
})

test('a signal aborts exactly the attempts it was passed to', async () => {
  await using hangs = await startRawReceiver(() => {})
  await using egress = openTestEgress({ attemptTimeoutMs: 1_000 })
  const stop = new AbortController()
  const stopped = [post(egress, hangs.url, '{}', stop.signal), post(egress, hangs.url, '{}', stop.signal)]
  const other = post(egress, hangs.url)
  stop.abort()
  for (const exchange of await Promise.all(stopped)) expect(exchange.error?.code).toBe('aborted_by_shutdown')
  expect((await post(egress, hangs.url, '{}', stop.signal)).error?.code).toBe('aborted_by_shutdown')
  expect((await other).error?.code).toBe('response_timeout')
})

test('an aborted attempt that already received a success status is a success', async () => {
  await using receiver = await startRawReceiver(socket =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab'),
  )
  await using egress = openTestEgress()
  const stop = new AbortController()
  const exchange = post(egress, receiver.url, '{}', stop.signal)
  const poll = setInterval(() => receiver.received() !== '' && setImmediate(() => stop.abort()), 20)
  expect(await exchange).toMatchObject({ outcome: 'success', statusCode: 200 })
  clearInterval(poll)
})

test('if an address does not answer, another one is used', async () => {
  await using receiver = await startCannedReceiver(answer(200))
  await using egress = openTestEgress({
    resolver: answering({ 'hooks.example.com': ['127.0.0.2', '127.0.0.3', '127.0.0.1'] }),
  })
  const exchange = await post(egress, `http://hooks.example.com:${receiver.port}/`)
  expect(exchange.outcome).toBe('success')
  // an address that refuses takes less time than one that does not answer
  expect(exchange.durationMs).toBeLessThan(450)
  await expect.poll(() => egress.openSockets).toBe(1)
})

test('if every address refuses, the attempt fails with connect_refused, regardless of their number', async () => {
  const receiver = await startCannedReceiver(answer(200))
  await receiver[Symbol.asyncDispose]()
  for (const addresses of [['127.0.0.1'], ['127.0.0.2', '127.0.0.3', '127.0.0.1']]) {
    await using egress = openTestEgress({ resolver: answering({ 'hooks.example.com': addresses }) })
    const exchange = await post(egress, `http://hooks.example.com:${receiver.port}/`)
    expect(exchange.error?.code).toBe('connect_refused')
    await expect.poll(() => egress.openSockets).toBe(0)
  }
})

test('a silent address does not hold up the next one', async () => {
  await using deaf = await startDeafPort()
  await using second = await listenBeside(deaf.number)
  const resolver = answering({ 'hooks.example.com': ['127.0.0.1', second.address] })
  await using egress = openTestEgress({ resolver })
  const exchange = await post(egress, `http://hooks.example.com:${deaf.number}/`)
  expect(exchange.outcome).toBe('success')
  expect(exchange.durationMs).toBeLessThan(3_000)
  await expect.poll(() => egress.openSockets).toBe(1)
})

test('a connection that breaks later does not restart the search for an address', async () => {
  await using receiver = await startCannedReceiver(answer(200))
  await using second = await listenBeside(receiver.port)
  const resolver = answering({ 'hooks.example.com': ['127.0.0.1', second.address] })
  await using egress = openTestEgress({ resolver })
  await post(egress, `http://hooks.example.com:${receiver.port}/`)
  receiver.connections[0]?.resetAndDestroy()
  await expect.poll(() => egress.openSockets).toBe(0)
  expect(second.connections).toHaveLength(0)
})

test('IPv6 endpoints receive deliveries if the machine has IPv6', async () => {
  await using server = await listenAt('::1', 0)
  await using egress = openTestEgress()
  const exchange = await post(egress, `http://[::1]:${server?.port ?? 1}/`)
  expect(exchange.error?.code).toBe(server === null ? 'connect_refused' : undefined)
})

/** Starts a receiver on this port at another address of the machine. Which addresses exist depends on the system. */
async function listenBeside(port: number): Promise<Listening> {
  const listening = (await listenAt('127.0.0.2', port)) ?? (await listenAt('::1', port))
  if (listening === null) throw new Error('this machine has only one loopback address')
  return listening
}

interface Listening extends AsyncDisposable {
  readonly address: string
  readonly port: number
  readonly connections: readonly Socket[]
}

async function listenAt(address: string, port: number): Promise<Listening | null> {
  const connections: Socket[] = []
  const server = createServer(socket => {
    connections.push(socket)
    socket.on('data', () => socket.write(answer(200)))
  })
  const listening = await new Promise<boolean>(resolve => {
    server.once('listening', () => resolve(true)).once('error', () => resolve(false))
    server.listen(port, address)
  })
  if (!listening) return null
  return {
    address,
    connections,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of connections) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

test('every parallel request to one receiver gets a connection, its own if necessary', async () => {
  const held: Socket[] = []
  await using receiver = await startRawReceiver(socket => held.push(socket))
  await using egress = openTestEgress()
  const exchanges = Promise.all(Array.from({ length: 60 }, () => post(egress, receiver.url)))
  await until('all requests are there, none of them answered', () => held.length === 60)
  for (const socket of held) socket.end(answer(200))
  expect((await exchanges).every(({ outcome }) => outcome === 'success')).toBe(true)
})

/** Writes one byte of each text in turn, each after the previous ones were sent. */
function sayInTurn(texts: ReadonlyMap<Socket, string>, at = 0): void {
  for (const [to, text] of texts) if (at < text.length) to.write(text.charAt(at))
  const longest = Math.max(...Array.from(texts.values(), text => text.length))
  if (at + 1 < longest) setImmediate(() => sayInTurn(texts, at + 1))
}

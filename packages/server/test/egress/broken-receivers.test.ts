import type { Socket } from 'node:net'
import { type AddressInfo, createServer } from 'node:net'
import { createServer as createHttp2Server } from 'node:http2'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import type { Exchange } from '../../src/egress/egress.ts'
import { openTestEgress, post } from './open-test-egress.ts'
import { answer, drip, flood, startCannedReceiver, startRawReceiver } from './raw-receiver.ts'
import { startDeafPort } from './deaf-port.ts'

const quick = { attemptTimeoutMs: 300 }

test('an attempt ends at the deadline if the receiver takes the request and never answers', async () => {
  await using receiver = await startRawReceiver(() => {})
  await using egress = openTestEgress(quick)
  const exchange = await post(egress, receiver.url)
  expect(exchange).toMatchObject({
    outcome: 'failure',
    statusCode: null,
    error: { code: 'response_timeout' },
  })
  expect(exchange.error?.message).toBe(
    'Your server did not answer within 0.3 s. It had received the whole request. Store the event, answer 200, and process it afterwards.',
  )
  expect(exchange.durationMs).toBeGreaterThanOrEqual(299)
  expect(exchange.durationMs).toBeLessThan(2_000)
})

test('each attempt has its full time, no matter when it started', async () => {
  await using receiver = await startRawReceiver(() => {})
  await using egress = openTestEgress(quick)
  const exchanges: Promise<Exchange>[] = []
  for (let begun = 1; begun <= 3; begun += 1) {
    exchanges.push(post(egress, receiver.url))
    await expect.poll(() => receiver.connections.length, { interval: 40 }).toBe(begun)
  }
  for (const { durationMs } of await Promise.all(exchanges)) {
    expect(durationMs).toBeGreaterThanOrEqual(299)
    expect(durationMs).toBeLessThan(1_500)
  }
})

test('an attempt ends at the deadline if the receiver does not read the request', async () => {
  await using receiver = await startRawReceiver(
    () => {},
    socket => socket.pause(),
  )
  await using egress = openTestEgress(quick)
  const exchange = await post(egress, receiver.url, 'x'.repeat(32 * 1024 * 1024))
  expect(exchange.error).toMatchObject({
    code: 'request_timeout',
    message: expect.stringContaining('did not read'),
  })
})

test('headers that arrive byte by byte do not extend the deadline', async () => {
  await using receiver = await startRawReceiver(socket => {
    socket.write('HTTP/1.1 200 OK\r\nx-slow: ')
    drip(socket, 'a', 20)
  })
  await using egress = openTestEgress(quick)
  const exchange = await post(egress, receiver.url)
  expect(exchange.error).toMatchObject({
    code: 'request_timeout',
    message: expect.stringContaining('headers'),
  })
  expect(exchange.durationMs).toBeLessThan(2_000)
})

test('interim answers do not extend the deadline', async () => {
  await using receiver = await startRawReceiver(socket =>
    drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n', 50),
  )
  await using egress = openTestEgress(quick)
  const exchange = await post(egress, receiver.url)
  expect(exchange.error).toMatchObject({ code: 'request_timeout', message: expect.stringContaining('1xx') })
  expect(exchange.durationMs).toBeLessThan(2_000)
})

test('a flood of interim answers ends the attempt at once', async () => {
  await using receiver = await startRawReceiver(socket =>
    flood(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000))),
  )
  await using egress = openTestEgress()
  expect((await post(egress, receiver.url)).error?.code).toBe('response_malformed')
})

test.each([
  ['100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['103 Early Hints', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'],
])('%s before the final answer is ignored', async (_name, interim) => {
  await using receiver = await startCannedReceiver(interim + answer(200))
  await using egress = openTestEgress()
  expect(await post(egress, receiver.url)).toMatchObject({ outcome: 'success', statusCode: 200 })
})

test('a 2xx answer with a slow body is a success, cut off after two seconds at most', async () => {
  await using receiver = await startRawReceiver(socket => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
    drip(socket, 'a', 20)
  })
  await using egress = openTestEgress()
  const exchange = await post(egress, receiver.url)
  expect(exchange).toMatchObject({
    outcome: 'success',
    statusCode: 200,
    error: null,
    responseTruncated: true,
  })
  expect(exchange.durationMs).toBeLessThan(4_000)

  await using hasty = openTestEgress(quick)
  expect(await post(hasty, receiver.url)).toMatchObject({ outcome: 'success', responseTruncated: true })
})

test('at most 64 KiB of an endless body are read, then the connection is closed', async () => {
  await using receiver = await startRawReceiver(socket => {
    socket.write('HTTP/1.1 500 Oops\r\ntransfer-encoding: chunked\r\n\r\n')
    flood(socket, Buffer.from(`1000\r\n${'x'.repeat(4096)}\r\n`))
  })
  await using egress = openTestEgress()
  const exchange = await post(egress, receiver.url)
  expect(exchange).toMatchObject({ outcome: 'failure', statusCode: 500, responseTruncated: true })
  expect(exchange.responseBody).toBe('x'.repeat(8192))
  // well before the time limit for reading the answer
  expect(exchange.durationMs).toBeLessThan(1_500)
  await expect.poll(() => egress.openSockets).toBe(0)
})

test('ten megabytes of headers fail with headers_too_large', async () => {
  const line = `x-large: ${'a'.repeat(1000)}\r\n`
  for (const headers of [line.repeat(10_000), `x-large: ${'a'.repeat(10_000_000)}\r\n`]) {
    await using receiver = await startCannedReceiver(`HTTP/1.1 200 OK\r\n${headers}\r\n`)
    await using egress = openTestEgress()
    expect(await post(egress, receiver.url)).toMatchObject({
      outcome: 'failure',
      statusCode: null,
      error: { code: 'headers_too_large' },
    })
  }
})

test.each([
  ['closed before a byte', (socket: Socket) => socket.end()],
  ['reset before a byte', (socket: Socket) => socket.resetAndDestroy()],
  ['closed in the status line', (socket: Socket) => socket.end('HTTP/1.1 20')],
  ['closed in the headers', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-le')],
])('%s counts as a failure', async (_name, serve) => {
  await using receiver = await startRawReceiver(serve)
  await using egress = openTestEgress()
  const exchange = await post(egress, receiver.url)
  expect(exchange).toMatchObject({ outcome: 'failure', statusCode: null, responseBody: null })
  expect(exchange.error?.code).toMatch(/^(connection_reset|response_malformed)$/)
  expect(receiver.connections).toHaveLength(1)
})

test.each([
  ['closed before the body is complete', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'],
  ['closed inside a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab'],
])('a connection %s counts as a success after 2xx headers', async (_name, bytes) => {
  await using receiver = await startRawReceiver(socket => socket.end(bytes))
  await using egress = openTestEgress()
  expect(await post(egress, receiver.url)).toMatchObject({
    outcome: 'success',
    error: null,
    responseTruncated: true,
  })
})

test('a body that ends with the connection is complete', async () => {
  await using receiver = await startRawReceiver(socket => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'))
  await using egress = openTestEgress()
  expect(await post(egress, receiver.url)).toMatchObject({
    outcome: 'success',
    responseBody: 'all of it',
    responseTruncated: false,
  })
})

test('broken chunks after the headers do not change the status', async () => {
  for (const [status, outcome] of [
    [200, 'success'],
    [500, 'failure'],
  ] as const) {
    await using receiver = await startCannedReceiver(
      `HTTP/1.1 ${status} Any\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nnonsense`,
    )
    await using egress = openTestEgress()
    expect(await post(egress, receiver.url)).toMatchObject({
      outcome,
      statusCode: status,
      responseTruncated: true,
    })
  }
})

test.each([
  ['garbage', '\x16\x03\x01\x02garbage\r\n\r\n'],
  ['HTTP/0.9', '<html>hello</html>'],
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['a broken header line', 'HTTP/1.1 200 OK\r\nno colon here\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
  ['NUL in a header', 'HTTP/1.1 200 OK\r\nx-a: a\0b\r\ncontent-length: 0\r\n\r\n'],
  ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'],
])('%s instead of an answer is response_malformed', async (_name, bytes) => {
  await using receiver = await startCannedReceiver(bytes)
  await using egress = openTestEgress()
  expect(await post(egress, receiver.url)).toMatchObject({
    outcome: 'failure',
    statusCode: null,
    error: { code: 'response_malformed' },
  })
})

test('the error for malformed headers says that the headers cannot be read', async () => {
  await using receiver = await startCannedReceiver('HTTP/1.1 200 OK\r\ncontent-length: 1, 2\r\n\r\n')
  await using egress = openTestEgress()
  expect((await post(egress, receiver.url)).error?.message).toContain('Its headers cannot be read')
})

test('the error for a server without TLS that speaks only HTTP/2 says so', async () => {
  const server = createHttp2Server().listen(0, '127.0.0.1')
  await once(server, 'listening')
  await using egress = openTestEgress()
  const { port } = server.address() as AddressInfo
  expect((await post(egress, `http://127.0.0.1:${port}/`)).error).toMatchObject({
    code: 'response_malformed',
    message: expect.stringContaining('Your server speaks HTTP/2 only'),
  })
  server.close()
})

test('the error for lines that end with a line feed alone says so at once', async () => {
  await using receiver = await startCannedReceiver('HTTP/1.1 200 OK\ncontent-length: 0\n\n')
  await using egress = openTestEgress()
  const exchange = await post(egress, receiver.url)
  expect(exchange.error).toMatchObject({
    code: 'response_malformed',
    message: expect.stringContaining('line feed alone'),
  })
})

test('a second answer without a request never counts for the next request', async () => {
  let requests = 0
  await using receiver = await startRawReceiver(socket => {
    requests += 1
    socket.write(requests === 1 ? answer(200) + answer(200, { 'x-smuggled': '1' }) : answer(500))
  })
  await using egress = openTestEgress()
  expect((await post(egress, receiver.url)).statusCode).toBe(200)
  expect((await post(egress, receiver.url)).statusCode).toBe(500)
})

test('a port where nothing listens fails with connect_refused', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  await using egress = openTestEgress()
  const port = typeof address === 'object' ? address?.port : undefined
  const exchange = await post(egress, `http://127.0.0.1:${port}/`)
  expect(exchange.error).toMatchObject({
    code: 'connect_refused',
    message: `127.0.0.1 refused the connection on port ${port}. Nothing listens there, or a firewall rejects the connection. Start your server, or allow our connections.`,
  })
})

test('the deadline ends a connection that is still opening and leaves no socket open', async () => {
  await using port = await startDeafPort()
  await using egress = openTestEgress(quick)
  const exchange = await post(egress, `http://127.0.0.1:${port.number}/`)
  expect(exchange).toMatchObject({ statusCode: null, error: { code: 'connect_timeout' } })
  expect(exchange.durationMs).toBeLessThan(2_000)
  await expect.poll(() => egress.openSockets).toBe(0)
})

test('opening a connection has its own time limit of five seconds', async () => {
  await using port = await startDeafPort()
  await using egress = openTestEgress()
  const exchange = await post(egress, `http://127.0.0.1:${port.number}/`)
  expect(exchange.error).toMatchObject({
    code: 'connect_timeout',
    message: expect.stringMatching(/^We could not connect to 127\.0\.0\.1 within 5 s\. A firewall may/),
  })
  expect(exchange.durationMs).toBeLessThan(7_000)
})

test('an unanswered TLS handshake ends as connect_timeout, and the message mentions the handshake', async () => {
  await using receiver = await startRawReceiver(() => {})
  await using egress = openTestEgress(quick)
  const exchange = await post(egress, `https://127.0.0.1:${receiver.port}/`)
  expect(exchange.error).toMatchObject({
    code: 'connect_timeout',
    message: expect.stringContaining('TLS handshake'),
  })
  await expect.poll(() => egress.openSockets).toBe(0)
})

test('DNS that never answers fails with dns_failed after three seconds', async () => {
  const silent = () => new Promise<string[]>(() => {})
  await using egress = openTestEgress({ resolver: { resolve4: silent, resolve6: silent } })
  const exchange = await post(egress, 'http://hooks.example.com/')
  expect(exchange.error).toMatchObject({
    code: 'dns_failed',
    message: expect.stringContaining('did not answer within 3 s'),
  })
})

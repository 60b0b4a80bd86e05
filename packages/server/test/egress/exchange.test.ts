import { expect, test } from 'vitest'
import { answering, openTestEgress, post } from './open-test-egress.ts'
import { answer, startCannedReceiver, startRawReceiver } from './raw-receiver.ts'

test('sends exactly the path, headers and bytes it was given', async () => {
  await using receiver = await startCannedReceiver(answer(204))
  await using egress = openTestEgress()
  const body = Buffer.from([0x7b, 0xc3, 0x28, 0x00, 0x7d])

  const exchange = await egress.post({
    url: `${receiver.url}?a=%20b`,
    headers: ['X-One', '1', 'x-two', ''],
    body,
  })

  expect(exchange.outcome).toBe('success')
  expect(receiver.received()).toBe(
    `POST /hooks?a=%20b HTTP/1.1\r\nhost: 127.0.0.1:${receiver.port}\r\nconnection: keep-alive\r\n` +
      `X-One: 1\r\nx-two: \r\ncontent-length: 5\r\n\r\n${body.toString('latin1')}`,
  )
})

test('a GET has no body, and its answer is kept up to 8 KiB', async () => {
  const text = 'a'.repeat(8_000)
  await using receiver = await startCannedReceiver(answer(200, {}, text))
  await using egress = openTestEgress()

  const exchange = await egress.get({ url: receiver.url, headers: ['user-agent', 'test'] })

  expect(exchange).toMatchObject({ outcome: 'success', responseBody: text, responseTruncated: false })
  expect(receiver.received()).toBe(
    `GET /hooks HTTP/1.1\r\nhost: 127.0.0.1:${receiver.port}\r\nconnection: keep-alive\r\nuser-agent: test\r\n\r\n`,
  )
})

test('a success reports the answer and how long each phase took', async () => {
  await using receiver = await startCannedReceiver(
    answer(202, { 'X-Service-Verified': 'v1,v1s', 'X-Twice': 'a' }, 'taken'),
  )
  await using egress = openTestEgress({ resolver: answering({ 'hooks.example.com': ['127.0.0.1'] }) })

  const exchange = await post(egress, `http://hooks.example.com:${receiver.port}/`)

  expect(exchange).toEqual({
    outcome: 'success',
    statusCode: 202,
    error: null,
    phases: {
      dnsMs: expect.any(Number),
      connectMs: expect.any(Number),
      tlsMs: null,
      firstByteMs: expect.any(Number),
    },
    certificate: null,
    durationMs: expect.any(Number),
    responseHeaders: { 'content-length': '5', 'x-service-verified': 'v1,v1s', 'x-twice': 'a' },
    responseBody: 'taken',
    responseTruncated: false,
    retryAfter: null,
    verifiedParts: 'v1,v1s',
  })
  expect(receiver.received()).toContain(`host: hooks.example.com:${receiver.port}\r\n`)
})

test.each([200, 201, 204, 299])('%i is a success', async status => {
  await using receiver = await startCannedReceiver(answer(status))
  await using egress = openTestEgress()
  expect(await post(egress, receiver.url)).toMatchObject({
    outcome: 'success',
    statusCode: status,
    error: null,
  })
})

test.each([
  [400, 'rejected the body'],
  [401, 'signature'],
  [403, 'firewall'],
  [404, 'path'],
  [410, 'no more events'],
  [413, 'body limit'],
  [429, 'rate limit'],
  [500, 'log'],
  [503, 'log'],
  [599, 'log'],
])('%i is a failure, and the message says what to check', async (status, hint) => {
  await using receiver = await startCannedReceiver(answer(status, { 'Retry-After': '120' }, 'no'))
  await using egress = openTestEgress()
  const exchange = await post(egress, receiver.url)
  expect(exchange).toMatchObject({
    outcome: 'failure',
    statusCode: status,
    error: { code: 'status_not_2xx' },
    responseBody: 'no',
    retryAfter: '120',
  })
  expect(exchange.error?.message).toContain(hint)
})

test('a redirect is rejected, its target gets no request, and the message names only the host', async () => {
  await using inside = await startCannedReceiver(answer(200))
  await using egress = openTestEgress()
  for (const [status, location, named] of [
    [301, `http://127.0.0.1:${inside.port}/secret?token=1`, `127.0.0.1:${inside.port}`],
    [302, '//other.example.com/x', 'other.example.com'],
    [307, '/login', '127.0.0.1'],
    [308, 'http://[', 'cannot be read'],
    [302, undefined, 'did not name'],
  ] as const) {
    await using receiver = await startCannedReceiver(
      answer(status, location === undefined ? {} : { location }),
    )
    const exchange = await post(egress, receiver.url)
    expect(exchange).toMatchObject({
      outcome: 'failure',
      statusCode: status,
      error: { code: 'redirect_refused' },
    })
    expect(exchange.error?.message).toContain(named)
    expect(exchange.error?.message).not.toContain('token')
  }
  expect(inside.connections).toHaveLength(0)
})

test.each([300, 304, 305, 306, 399])('%i without a location is not a redirect', async status => {
  await using receiver = await startCannedReceiver(answer(status))
  await using egress = openTestEgress()
  expect(await post(egress, receiver.url)).toMatchObject({
    outcome: 'failure',
    statusCode: status,
    error: { code: 'status_not_2xx', message: expect.stringContaining(`answered ${status}.`) },
  })
})

test('304 is never a redirect, and the message says how to answer a POST', async () => {
  await using receiver = await startCannedReceiver(answer(304, { location: '/elsewhere' }))
  await using egress = openTestEgress()
  expect((await post(egress, receiver.url)).error).toEqual({
    code: 'status_not_2xx',
    message:
      'Your server answered 304. That status is for cached GET requests. Answer a POST with 200 or 204.',
  })
})

test('keeps the first 512 bytes of a success and the first 8 KiB of a failure', async () => {
  await using egress = openTestEgress()
  for (const [status, kept] of [
    [200, 512],
    [500, 8192],
  ] as const) {
    await using receiver = await startCannedReceiver(answer(status, {}, 'x'.repeat(20_000)))
    const exchange = await post(egress, receiver.url)
    expect(exchange.responseBody).toBe('x'.repeat(kept))
    expect(exchange.responseTruncated).toBe(true)
  }
})

test('an answer of exactly the stored size is not marked as truncated', async () => {
  await using receiver = await startCannedReceiver(answer(200, {}, 'x'.repeat(512)))
  await using egress = openTestEgress()
  expect(await post(egress, receiver.url)).toMatchObject({
    responseTruncated: false,
    responseBody: 'x'.repeat(512),
  })
})

test('any bytes are shown as text that a database can store', async () => {
  await using egress = openTestEgress()
  for (const [bytes, shown] of [
    [Buffer.from([0x61, 0x00, 0x62, 0xff, 0x63]), 'ab\ufffdc'],
    [Buffer.from('é'.repeat(300)), 'é'.repeat(256)],
    [Buffer.from(`a${'é'.repeat(300)}`), `a${'é'.repeat(255)}`],
  ] as const) {
    await using receiver = await startCannedReceiver(
      Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\n\r\n`), bytes]),
    )
    expect((await post(egress, receiver.url)).responseBody).toBe(shown)
  }
})

test('answers are not decompressed, so a small answer stays small', async () => {
  await using receiver = await startCannedReceiver(answer(200, { 'content-encoding': 'gzip' }, 'not gzip'))
  await using egress = openTestEgress()
  expect(await post(egress, receiver.url)).toMatchObject({ outcome: 'success', responseBody: 'not gzip' })
})

test('stored headers have a bounded size, and cookies are masked', async () => {
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`x-${index}`, 'v']))
  await using receiver = await startCannedReceiver(
    answer(200, { 'Set-Cookie': 'session=secret', 'X-Long': 'l'.repeat(5000), __proto__x: '1', ...many }),
  )
  await using egress = openTestEgress()
  const { responseHeaders } = await post(egress, receiver.url)
  expect(Object.keys(responseHeaders ?? {})).toHaveLength(64)
  expect(responseHeaders?.['set-cookie']).toBe('***')
  expect(responseHeaders?.['x-long']).toHaveLength(1025)
})

test('repeated headers and unusual header names do not break the answer', async () => {
  await using receiver = await startCannedReceiver(
    'HTTP/1.1 200 OK\r\nx-a: 1\r\nX-A: 2\r\n__proto__: p\r\nconstructor: c\r\nx-service-verified: v1\r\nx-service-verified: v1s\r\ncontent-length: 0\r\n\r\n',
  )
  await using egress = openTestEgress()
  expect(await post(egress, receiver.url)).toMatchObject({
    outcome: 'success',
    responseHeaders: { 'x-a': '1, 2', constructor: 'c' },
    verifiedParts: 'v1',
  })
})

test('whitespace around a header value is removed, and every other byte is kept', async () => {
  await using receiver = await startCannedReceiver(
    'HTTP/1.1 200 OK\r\nx-a: \t one  two \t\r\nx-b:\r\nx-c: voil\u00e0\r\ncontent-length: 0\r\n\r\n',
  )
  await using egress = openTestEgress()
  expect((await post(egress, receiver.url)).responseHeaders).toMatchObject({
    'x-a': 'one  two',
    'x-b': '',
    'x-c': 'voil\u00e0',
  })
})

test('sends no cookie with the next request and follows no proxy setting', async () => {
  const before = process.env['HTTP_PROXY']
  process.env['HTTP_PROXY'] = 'http://127.0.0.1:9'
  try {
    await using receiver = await startCannedReceiver(answer(200, { 'set-cookie': 'a=b' }))
    await using egress = openTestEgress()
    await post(egress, receiver.url)
    expect((await post(egress, receiver.url)).outcome).toBe('success')
    expect(receiver.received().toLowerCase()).not.toContain('cookie')
  } finally {
    if (before === undefined) delete process.env['HTTP_PROXY']
    else process.env['HTTP_PROXY'] = before
  }
})

test('a request with headers that allow smuggling is not sent', async () => {
  await using receiver = await startRawReceiver(socket => socket.write(answer(200)))
  await using egress = openTestEgress()
  for (const headers of [
    ['x-a', '1\r\nx-b: 2'],
    ['x a', '1'],
    ['transfer-encoding', 'chunked'],
    ['Transfer_Encoding', 'chunked'],
    ['content_length', '0'],
    ['expect', '100-continue'],
    ['x-a'],
  ]) {
    const exchange = await egress.post({ url: receiver.url, headers, body: Buffer.from('{}') })
    expect(exchange).toMatchObject({ outcome: 'failure', statusCode: null, error: { code: 'unknown' } })
  }
  expect(receiver.received()).toBe('')
})

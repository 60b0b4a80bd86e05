import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Customer, expectStatus, type Page } from '../support/api.ts'
import { openShards, type TestInstallation } from '../support/shards.ts'

interface Init extends Omit<RequestInit, 'headers'> {
  headers?: Record<string, string>
  duplex?: 'half'
}

let installation: TestInstallation
let customer: Customer

beforeAll(async () => {
  installation = await openShards(2)
})

afterAll(async () => await installation[Symbol.asyncDispose]())

beforeEach(async () => {
  customer = await installation.customerOn(1)
})

async function send(path: string, init: Init = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${customer.apiKey}` }
  return await fetch(installation.url + path, { ...init, headers: { ...headers, ...init.headers } })
}

/** Sends bytes on a connection of its own and resolves with the answer when the front closes it. */
async function sendRaw(text: string): Promise<string> {
  const socket = connect(Number(new URL(installation.url).port), '127.0.0.1')
  let answer = ''
  socket.setEncoding('latin1').on('data', (part: string) => (answer += part))
  socket.on('error', () => {})
  socket.write(text, 'latin1')
  await once(socket, 'close')
  return answer
}

function outcomes(count: number, padding = 0): object[] {
  return Array.from({ length: count }, (_, n) => ({
    type: 'email.delivered',
    data: { email_id: `em_${n}`, to: ['ann@example.org'], metadata: { padding: 'x'.repeat(padding) } },
  }))
}

const json = { 'content-type': 'application/json' }

describe('bodies', () => {
  test('of more than four megabytes arrive', async () => {
    const body = JSON.stringify(outcomes(1_000, 6_000))
    expect(body.length).toBeGreaterThan(5 * 1024 * 1024)
    const stored = await send('/v1/outcomes', { method: 'POST', headers: json, body })
    expect([stored.status, ((await stored.json()) as { accepted: number }).accepted]).toEqual([202, 1_000])
  })

  test('without a known length arrive', async () => {
    const parts = [
      JSON.stringify(outcomes(400, 12_000)).slice(0, -1),
      ',',
      JSON.stringify(outcomes(1)[0]),
      ']',
    ]
    const body = Readable.toWeb(Readable.from(parts.map(part => Buffer.from(part)))) as ReadableStream
    const stored = await send('/v1/outcomes', { method: 'POST', headers: json, body, duplex: 'half' })
    expect([stored.status, ((await stored.json()) as { accepted: number }).accepted]).toEqual([202, 401])
  })

  test('that are too large get the error of the shard', async () => {
    for (const size of [2 * 1024 * 1024, 20 * 1024 * 1024]) {
      const refused = await send('/v1/webhooks', { method: 'POST', headers: json, body: ' '.repeat(size) })
      expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
        413,
        'body_too_large',
      ])
    }
  })

  test('that stream in and out arrive', async () => {
    const addresses = Array.from({ length: 20_000 }, (_, n) => `reader${n}@example.org`)
    const body = `address\r\n${addresses.join('\r\n')}\r\n`
    const headers = { 'content-type': 'text/csv' }
    const imported = await send('/v1/suppressions/import', { method: 'POST', headers, body })
    expect(imported.status).toBe(200)
    const exported = await (await send('/v1/suppressions/export')).text()
    expect(exported.match(/@example\.org/g)).toHaveLength(20_000)
    const empty = await send('/v1/suppressions/import', { method: 'POST', headers })
    expect([empty.status, ((await empty.json()) as { code: string }).code]).toEqual([
      422,
      'validation_failed',
    ])
  })
})

describe('answers', () => {
  test('to HEAD have the length of the answer to GET and no body', async () => {
    const get = await send('/v1/event-types')
    const head = await send('/v1/event-types', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('content-length')).toBe(String((await get.arrayBuffer()).byteLength))
  })

  test('have the id of the request that the shard knows, and nothing of the connection behind', async () => {
    const answer = await send('/v1/webhooks/wh_x')
    const { request_id } = (await answer.json()) as { request_id: string }
    expect(answer.headers.get('x-request-id')).toBe(request_id)
    expect(answer.headers.get('x-posthorn-shard')).toBeNull()
  })

  test('to unknown paths and methods are those of a shard', async () => {
    const answers = [await send('/v1/nothing'), await send('/v1/webhooks', { method: 'DELETE' })]
    expect(answers.map(({ status }) => status)).toEqual([404, 405])
    expect(answers[1]?.headers.get('allow')).toBe('POST, GET, HEAD')
    for (const path of ['/internal/shard', '/internal/accounts', '/internal/directory']) {
      expect((await send(path)).status).toBe(404)
    }
  })
})

test.each([
  ['a request that is not HTTP', 'GARBAGE\r\n\r\n', '400'],
  ['two Host headers', 'GET /v1/webhooks HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', '400'],
  ['a header that is too large', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, '431'],
  [
    'a forged signature of a front',
    'GET /v1/webhooks HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Posthorn-Front: first;1;stream;00\r\n\r\n',
    '401',
  ],
  [
    'a path with strange bytes',
    'GET /v1/webhooks/%ff%00..%2f HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    '404',
  ],
  [
    'a key with an account code that is too large',
    `GET /v1/webhooks HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer phk_${'z'.repeat(36)}\r\n\r\n`,
    '401',
  ],
])('%s gets the answer of a shard', async (_, request, status) => {
  const answer = await sendRaw(request)
  expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`)
  expect(answer).toContain('application/problem+json')
})

test('headers that the front just accepts reach the shard', async () => {
  const answer = await send('/v1/webhooks', { headers: { 'x-padding': 'x'.repeat(16_000) } })
  expect(answer.status).toBe(200)
})

test('a client that disconnects within its body stores nothing and disturbs nobody', async () => {
  const body = JSON.stringify(outcomes(10))
  const head = [
    'POST /v1/outcomes HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${customer.apiKey}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ].join('\r\n')
  for (let n = 0; n < 20; n++) {
    const socket = connect(Number(new URL(installation.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`${head}\r\n\r\n${body.slice(0, n * 40)}`)
    await new Promise(resolve => setImmediate(resolve))
    socket.destroy()
  }
  expect(await customer.report(1)).toHaveLength(1)
  const events = expectStatus(200, await customer.api.get<Page<unknown>>('/v1/events'))
  expect(events.data).toHaveLength(1)
  expect(installation.told.filter(({ message }) => message === 'a request failed unexpectedly')).toEqual([])
})

test('clients that disconnect within an answer disturb nobody', async () => {
  const addresses = Array.from({ length: 20_000 }, (_, n) => `reader${n}@example.org`)
  const body = `address\r\n${addresses.join('\r\n')}\r\n`
  const headers = { 'content-type': 'text/csv' }
  expect((await send('/v1/suppressions/import', { method: 'POST', headers, body })).status).toBe(200)
  for (let n = 0; n < 10; n++) {
    const stopped = new AbortController()
    const answer = await send('/v1/suppressions/export', { signal: stopped.signal })
    await answer.body?.getReader().read()
    stopped.abort()
  }
  const whole = await (await send('/v1/suppressions/export')).text()
  expect(whole.match(/@example\.org/g)).toHaveLength(20_000)
  expect(installation.told.filter(({ message }) => message === 'a request failed unexpectedly')).toEqual([])
})

import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { embedded, openTestDatabase } from '../support/test-database.ts'
import { call, newCustomer, openTestApp, operatorToken, type TestApp } from './test-app.ts'

let db: Database
let app: TestApp
let port: number
let apiKey: string

beforeAll(async () => {
  db = await openTestDatabase(embedded)
  app = await openTestApp(db)
  apiKey = (await newCustomer(app)).apiKey
  await app.app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.app.server.address() as AddressInfo).port
})

afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})

/** Writes bytes to the service and reads until it closes the connection. */
async function exchange(bytes: string | Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(bytes)
  return await text(socket)
}

test.each([
  ['no HTTP', 'hello\r\n\r\n', 400, 'malformed_request'],
  ['a method that does not exist', 'FOO /v1/accounts HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'malformed_request'],
  ['TLS', Buffer.from('160301020001000001fc0303', 'hex'), 400, 'malformed_request'],
  [
    'headers that are too large',
    `GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  [
    'a URL that is too long',
    `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  [
    'two lengths',
    'POST /v1/accounts HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    400,
    'malformed_request',
  ],
  ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
  ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n', 400, 'malformed_request'],
  ['the same host twice', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHOST: a\r\n\r\n', 400, 'malformed_request'],
  ['two hosts in HTTP/1.0', 'GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n', 400, 'malformed_request'],
  [
    'two credentials',
    'GET /v1/webhooks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n',
    400,
    'malformed_request',
  ],
  ['two hosts in one header', 'GET /healthz HTTP/1.1\r\nHost: a, b\r\n\r\n', 400, 'malformed_request'],
  ['a host with a path', 'GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n', 400, 'malformed_request'],
  ['a host with a user', 'GET /healthz HTTP/1.1\r\nHost: a@b\r\n\r\n', 400, 'malformed_request'],
  [
    'an expectation that nobody meets',
    'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: foo\r\n\r\n',
    400,
    'malformed_request',
  ],
  [
    'a length and chunks',
    'POST /v1/accounts HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    400,
    'malformed_request',
  ],
])('%s gets a problem response, and the connection closes', async (_, bytes, status, code) => {
  const answer = await exchange(bytes)
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(answer).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/i)
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status, code })
})

test.each(['', 'a', 'A.example.com.', 'localhost:4100', '127.0.0.1', '[::1]:4100', 'a:'])(
  'a request for the host "%s" is accepted',
  async host => {
    const answer = await exchange(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1.1 200 /)
  },
)

test.each(['GET /healthz', 'POST /v1/sessions'])(
  'a body of 5 kB is rejected without a credential: %s',
  async start => {
    const head = `${start} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: 5000\r\n\r\n`
    const answer = await exchange(head + 'x'.repeat(5_000))
    expect(answer).toMatch(/^HTTP\/1.1 413 [\s\S]*"code":"body_too_large"/)
  },
)

test('a request for an unknown route is answered before its body is sent', async () => {
  const head = 'POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\nConnection: close\r\n\r\n'
  expect(await exchange(head)).toMatch(/^HTTP\/1.1 404 [\s\S]*"code":"not_found"/)
})

test('a body announced as too large is rejected before it is sent', async () => {
  const head = `POST /v1/accounts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${operatorToken}\r\nContent-Type: application/json\r\nContent-Length: 1048577\r\n\r\n`
  expect(await exchange(head)).toMatch(/^HTTP\/1.1 413 [\s\S]*"code":"body_too_large"/)
})

test('a chunked body is rejected when it exceeds the limit', async () => {
  const head = `POST /v1/accounts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${operatorToken}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
  const chunk = `100001\r\n${'x'.repeat(0x100001)}\r\n`
  expect(await exchange(head + chunk)).toMatch(/^HTTP\/1.1 413 [\s\S]*"code":"body_too_large"/)
})

test('a request without a credential is rejected before its body is sent', async () => {
  const head = 'POST /v1/accounts HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n'
  expect(await exchange(head)).toMatch(/^HTTP\/1.1 401 [\s\S]*"code":"unauthorized"/)
})

const bodies: [string, string][] = [
  ['POST', '/v1/webhooks'],
  ['POST', '/v1/outcomes'],
  ['POST', '/v1/accounts'],
  ['POST', '/v1/accounts/acct_01h455vb4pex5vsknk084sn02q/api-keys'],
  ['PATCH', '/v1/accounts/acct_01h455vb4pex5vsknk084sn02q'],
  ['PATCH', '/v1/webhooks/wh_01h455vb4pex5vsknk084sn02q'],
]

test.each(bodies)('%s %s never returns a 5xx for any JSON', async (method, url) => {
  const as = url.startsWith('/v1/accounts') ? operatorToken : apiKey
  const fields = [
    'url',
    'events',
    'headers',
    'name',
    'scopes',
    'type',
    'data',
    'max_endpoints',
    'enabled',
    'x',
  ]
  const almost = fc.dictionary(fc.constantFrom(...fields), fc.jsonValue())
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.jsonValue(), almost, fc.array(almost)), async json => {
      const answer = await call(app, method, url, { as, json })
      expect(answer.status).toBeGreaterThanOrEqual(200)
      expect(answer.status).toBeLessThan(500)
    }),
    { numRuns: 150 },
  )
})

test.each(bodies)('%s %s returns a 4xx for arbitrary bytes', async (method, url) => {
  const as = url.startsWith('/v1/accounts') ? operatorToken : apiKey
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.string({ maxLength: 20 }), async (bytes, type) => {
      const headers = { 'content-type': type.replaceAll(/[^\x20-\x7e]/g, '') || 'application/json' }
      const answer = await call(app, method, url, { as, payload: Buffer.from(bytes), headers })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
    }),
    { numRuns: 100 },
  )
})

test('text that the database cannot store is rejected', async () => {
  for (const bad of ['a\u0000b', 'a\nb', '', ' '.repeat(201), '\u0085']) {
    const answer = await call(app, 'POST', '/v1/accounts', { as: operatorToken, json: { name: bad } })
    expect([bad, answer.body.code]).toEqual([bad, 'validation_failed'])
  }
  const name = 'Ünïcode 📯'
  expect((await call(app, 'POST', '/v1/accounts', { as: operatorToken, json: { name } })).status).toBe(201)
  for (const json of [
    { url: 'https://a.example/\u0000' },
    { url: 'https://a.example/', description: '\u0000' },
    { url: 'https://a.example/', headers: { a: '\u0000' } },
  ]) {
    expect((await call(app, 'POST', '/v1/webhooks', { as: apiKey, json })).status).toBe(422)
  }
})

test.each([
  ['POST', '/v1/webhooks', '{"url":"https://a.example/","headers":{"__proto__":"v"}}', '/headers/__proto__'],
  [
    'PATCH',
    '/v1/webhooks/wh_01h455vb4pex5vsknk084sn02q',
    '{"headers":{"__proto__":null}}',
    '/headers/__proto__',
  ],
  [
    'POST',
    '/v1/emails',
    '{"from":"a@b.c","to":["a@b.c"],"subject":"a","text":"a","tags":{"__proto__":"v"}}',
    '/tags/__proto__',
  ],
])('%s %s rejects __proto__ as a name', async (method, url, payload, path) => {
  const answer = await call(app, method, url, {
    as: apiKey,
    payload,
    headers: { 'content-type': 'application/json' },
  })
  expect(answer.status).toBe(422)
  expect(answer.body.errors).toEqual([{ path, message: 'is not an allowed name' }])
})

test('the server logs no error', () => {
  expect(app.logged).toEqual([])
})

import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ShardClient } from '../../src/shards/shard-client.ts'
import { bodyDigest, signRequest } from '../../src/shards/sign-request.ts'
import { adminToken, ask, clientOf, type RunningShard, shardKey, startShard } from './start-shard.ts'

const key = shardKey('first')
const signingKey = { id: 'first', key: Buffer.from(key.split(':')[1] ?? '', 'base64') }
let shard: RunningShard
let client: ShardClient
beforeAll(async () => {
  shard = await startShard(key)
  client = clientOf(shard, 0, key)
})
afterAll(async () => {
  client[Symbol.dispose]()
  await shard[Symbol.asyncDispose]()
})

interface Sent {
  method: string
  path: string
  body: string | null
  headers: Record<string, string>
}

/** Signs one request and sends another. */
async function send(
  change: Partial<Sent>,
  { ms = Date.now(), keyId = 'first', body = '{"name":"Acme"}' } = {},
) {
  const digest = body === 'stream' ? 'stream' : bodyDigest(Buffer.from(body))
  const sender = { forwardedFor: '192.0.2.7', operator: '' }
  const signed = { method: 'POST', path: '/v1/accounts', ...sender, body: digest, ms }
  const { header } = signRequest(signed, { ...signingKey, id: keyId })
  const sent: Sent = {
    method: 'POST',
    path: '/v1/accounts',
    body: '{"name":"Acme"}',
    ...change,
    headers: {
      authorization: `Bearer ${adminToken}`,
      'content-type': 'application/json',
      'x-forwarded-for': '192.0.2.7',
      'x-posthorn-front': header,
      ...change.headers,
    },
  }
  const answer = await fetch(shard.url + sent.path, sent)
  const { detail = '' } = (await answer.json()) as { detail?: string }
  return { status: answer.status, detail, signature: answer.headers.get('x-posthorn-shard') }
}

test('a request that a front signed is answered, and the answer is signed', async () => {
  expect(await send({})).toMatchObject({ status: 201, signature: expect.stringMatching(/^0;[0-9a-f]{64}$/) })
})

test.each<[string, Partial<Sent>, object, string]>([
  ['another body', { body: '{"name":"Evil"}' }, {}, 'signature of the front is wrong'],
  ['another method', { method: 'PUT' }, {}, 'signature of the front is wrong'],
  ['another path', { path: '/v1/accounts?limit=1' }, {}, 'signature of the front is wrong'],
  ['another address', { headers: { 'x-forwarded-for': '192.0.2.8' } }, {}, 'signature of the front is wrong'],
  ['no signature', { headers: { 'x-posthorn-front': '' } }, {}, 'malformed'],
  ['an unknown key', {}, { keyId: 'second' }, 'a key that this shard does not have'],
  ['a time long ago', {}, { ms: Date.now() - 65_000 }, 'differ by more than 60 seconds'],
  ['a time in the future', {}, { ms: Date.now() + 65_000 }, 'differ by more than 60 seconds'],
])('a request with %s is refused, and the refusal is not signed', async (_, change, signed, detail) => {
  const answer = await send(change, signed)
  expect(answer).toMatchObject({ status: 401, signature: null })
  expect(answer.detail).toContain(detail)
})

describe('without a signature', () => {
  test.each([
    '/v1/accounts',
    '/',
    '/assets/x.js',
    '/u/x',
    '/openapi.json',
    '/nothing',
    '/internal/shard',
    '//healthz',
  ])('GET %s is refused', async path => {
    const answer = await fetch(shard.url + path, { headers: { authorization: `Bearer ${adminToken}` } })
    expect([answer.status, answer.headers.get('x-posthorn-shard')]).toEqual([401, null])
    expect(await answer.json()).toMatchObject({
      code: 'unauthorized',
      detail: 'This process is a shard and answers only fronts. Send the request to the public URL instead.',
    })
  })

  test.each(['/healthz', '/readyz', '/metrics', '/healthz?x=1'])('GET %s is answered', async path => {
    expect((await fetch(shard.url + path)).status).not.toBe(401)
  })

  test('a large body is refused before it is read', async () => {
    const endless = new ReadableStream({ pull: controller => controller.enqueue(new Uint8Array(65_536)) })
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body: endless, duplex: 'half' }
    expect((await fetch(`${shard.url}/v1/outcomes`, init)).status).toBe(401)
  })
})

test('what the shard itself refuses is signed, so that the front passes it on', async () => {
  expect(await ask(client, 'GET', '/v1/accounts', { headers: { authorization: 'Bearer x' } })).toMatchObject({
    status: 401,
  })
  expect(await ask(client, 'GET', '/v1/nothing')).toMatchObject({ status: 404 })
  expect(
    await ask(client, 'GET', '/metrics', { headers: { authorization: '' } }).catch(() => 'not JSON'),
  ).toBe('not JSON')
})

test('an operation that reads a stream accepts it only if it is signed as one', async () => {
  const account = await ask(client, 'POST', '/v1/accounts', { json: { name: 'Acme' } })
  const made = await ask(client, 'POST', `/v1/accounts/${String(account.body['id'])}/api-keys`, {
    json: { name: 'Test', scopes: ['send'] },
  })
  const headers = { authorization: `Bearer ${String(made.body['api_key'])}`, 'content-type': 'text/csv' }
  const csv = Buffer.from('address\nann@example.org\n')
  const importTo = async (body: Buffer | Readable) =>
    await ask(client, 'POST', '/v1/suppressions/import', { headers, body })
  expect(await importTo(Readable.from([csv]))).toMatchObject({ status: 200 })
  await expect(importTo(csv)).rejects.toThrow('does not accept the signature')
})

test('an internal route accepts no stream, because its signature does not cover the content', async () => {
  const body = Readable.from([Buffer.from('{"number":1,"state":"open"}')])
  expect(await ask(client, 'POST', '/internal/shards', { body })).toMatchObject({ status: 401 })
})

test('failed sign-ins are counted by the address that the front forwards', async () => {
  // without https, only the signature of the front makes the address credible
  const headers = { host: '127.0.0.1' }
  const signIn = async (forwardedFor: string) =>
    (await ask(client, 'POST', '/v1/sessions', { json: { credential: 'wrong' }, forwardedFor, headers }))
      .status
  const statuses = []
  for (let n = 0; n < 21; n++) statuses.push(await signIn(`203.0.113.${n}, 192.0.2.7`))
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 401), 429])
  expect(await signIn('192.0.2.8')).toBe(401)
})

test('keys are replaced in three steps without a refused request', async () => {
  const second = shardKey('second')
  const steps = [key, `${key},${second}`, `${second},${key}`, second]
  const shards = await Promise.all(steps.map(async keys => await startShard(keys, { place: shard.place })))
  try {
    for (const [frontStep, keys] of steps.entries()) {
      for (const [shardStep, running] of shards.entries()) {
        using front = clientOf(running, 0, keys)
        const answer = ask(front, 'GET', '/v1/accounts')
        // fronts and shards are restarted one after the other, so they are at most one step apart
        if (Math.abs(frontStep - shardStep) <= 1) expect(await answer).toMatchObject({ status: 200 })
        else if (frontStep === 0 && shardStep === 3) await expect(answer).rejects.toThrow('does not accept')
        else await answer.catch(() => {})
      }
    }
  } finally {
    await Promise.all(shards.map(async one => await one[Symbol.asyncDispose]()))
  }
})

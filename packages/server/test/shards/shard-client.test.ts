import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { ShardClient } from '../../src/shards/shard-client.ts'
import { ShardUnavailable } from '../../src/shards/shard-unavailable.ts'
import { bodyDigest, signAnswer, verifyRequest } from '../../src/shards/sign-request.ts'
import { systemClock } from '../../src/system-clock.ts'
import { makeCertificate } from '../egress/certificate.ts'
import { startTlsReceiver } from '../support/tls-receiver.ts'

const keys = [{ id: 'first', key: Buffer.alloc(32, 1) }]

test('a request arrives unchanged, with the address of the caller, and so does the answer', async () => {
  const answerIt = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeader('x-request-id', 'r1').setHeader('set-cookie', ['a=1', 'b=2'])
    response.end(await buffer(request))
  }
  await using shard = await startShard(answerIt, { status: 202 })
  using client = clientOf(shard)

  const answer = await client.send({
    method: 'POST',
    path: '/v1/../outcomes?cursor=%7E',
    headers: {
      host: 'posthorn.example',
      authorization: 'Bearer secret',
      'content-type': 'application/json',
      connection: 'keep-alive, x-hop',
      'x-hop': '1',
      'content-length': '999',
      'x-forwarded-for': 'forged',
      'x-posthorn-front': 'forged',
    },
    body: Buffer.from('{"a":1}'),
    forwardedFor: '192.0.2.7',
  })

  expect(answer).toMatchObject({
    status: 202,
    headers: { 'x-request-id': 'r1', 'set-cookie': ['a=1', 'b=2'] },
  })
  expect(answer.headers).not.toHaveProperty('x-posthorn-shard')
  expect(answer.headers).not.toHaveProperty('connection')
  expect(await text(answer.body)).toBe('{"a":1}')
  expect(shard.received).toMatchObject([
    {
      url: '/v1/../outcomes?cursor=%7E',
      bodyIs: bodyDigest(Buffer.from('{"a":1}')),
      headers: {
        host: 'posthorn.example',
        authorization: 'Bearer secret',
        'content-length': '7',
        'x-forwarded-for': '192.0.2.7',
      },
    },
  ])
  expect(shard.received[0]?.headers).not.toHaveProperty('x-hop')
})

test('a stream is sent as it arrives', async () => {
  await using shard = await startShard(async (request, response) => {
    response.end(String((await buffer(request)).length))
  })
  using client = clientOf(shard)
  const parts = Array.from({ length: 40 }, () => Buffer.alloc(50_000))
  const answer = await client.send({ method: 'POST', path: '/', body: Readable.from(parts) })
  expect(await text(answer.body)).toBe('2000000')
  expect(shard.received).toMatchObject([{ bodyIs: 'stream', headers: { 'transfer-encoding': 'chunked' } }])
})

test.each(['GET', 'HEAD'])(
  'an abort just before the end of the answer to a %s does no harm',
  async method => {
    await using shard = await startShard(async (_request, response) => void response.end('whole'))
    using client = clientOf(shard)
    const gone = new AbortController()
    const { body } = await client.send({ method, path: '/', signal: gone.signal })
    const closed = new Promise(resolve => body.once('close', resolve))
    body.resume()
    // the body is read in this turn, and ends in the next one
    process.nextTick(() => gone.abort())
    await closed
    expect(await text((await client.send({ method: 'GET', path: '/next' })).body)).toBe('whole')
  },
)

test.each(['GET', 'HEAD', 'DELETE', 'POST'])(
  'the body of a %s never becomes the next request on the connection',
  async method => {
    await using shard = await startShard(async (request, response) => {
      await buffer(request)
      response.end()
    })
    using client = clientOf(shard)
    const hidden = 'GET /of-another-caller HTTP/1.1\r\nhost: a\r\nx: '
    for (const path of ['/first', '/second']) {
      const { body } = await client.send({ method, path, body: Readable.from([Buffer.from(hidden)]) })
      await buffer(body)
    }
    expect(shard.received.map(({ url }) => url)).toEqual(['/first', '/second'])
  },
)

test.each([
  { headers: { host: 'posthorn.example', connection: 'host' }, host: 'posthorn.example' },
  { headers: {}, host: '' },
])('the shard sees the Host of the caller and never its own address: $host', async ({ headers, host }) => {
  await using shard = await startShard((_request, response) => response.end())
  using client = clientOf(shard)
  await buffer((await client.send({ method: 'GET', path: '/', headers })).body)
  expect(shard.received).toMatchObject([{ headers: { host } }])
})

test('requests one after the other use one connection', async () => {
  await using shard = await startShard((request, response) => response.end(String(request.socket.remotePort)))
  using client = clientOf(shard)
  const ports = new Set<string>()
  for (let i = 0; i < 5; i++) ports.add(await text((await client.send({ method: 'GET', path: '/' })).body))
  expect(ports.size).toBe(1)
})

test('a shard without a process was certainly not reached', async () => {
  await using shard = await startShard((_, response) => response.end())
  using client = clientOf(shard)
  await shard[Symbol.asyncDispose]()
  const error = await refusal(client)
  expect(error).toMatchObject({ name: 'ShardUnavailable', shard: 1, mayHaveArrived: false })
  expect(error.message).toContain(`Shard 1 (${shard.url}) is not available: connect ECONNREFUSED`)
})

test('a shard that dies during a request may have received it', async () => {
  await using shard = await startShard(request => void request.socket.destroy())
  using client = clientOf(shard)
  expect(await refusal(client)).toMatchObject({ shard: 1, mayHaveArrived: true })
})

test('the caller may stop waiting for a shard that hangs', async () => {
  const stop = new AbortController()
  await using shard = await startShard(() => stop.abort())
  using client = clientOf(shard)
  expect(await refusal(client, { signal: stop.signal })).toMatchObject({ shard: 1, mayHaveArrived: true })
})

test.each<[string, Partial<Answering>, RegExp]>([
  ['without a signature', { header: () => null }, /answered 200 without a valid signature/],
  [
    'signed with another key',
    { keys: [{ id: 'first', key: Buffer.alloc(32, 2) }] },
    /without a valid signature/,
  ],
  ['of another shard', { number: 2 }, /it is shard 2: correct POSTHORN_SHARDS/],
  [
    'that refuses the signature',
    { status: 401, header: () => null },
    /compare POSTHORN_SHARD_KEYS and the clocks/,
  ],
  ['that is signed for another request', { header: old => old.replace(/.{4}$/, '0000') }, /without a valid/],
])('an answer %s does not count', async (_, answering, message) => {
  await using shard = await startShard((__, response) => response.end('secret of a stranger'), answering)
  using client = clientOf(shard)
  const error = await refusal(client)
  expect(error).toMatchObject({ shard: 1, mayHaveArrived: true })
  expect(error.message).toMatch(message)
})

test('what is not HTTP does not count either', async () => {
  const server = createTcpServer(socket => socket.end('SSH-2.0-OpenSSH\r\n')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  using client = new ShardClient({ number: 1, url: `http://127.0.0.1:${port}`, keys, clock: systemClock })
  expect(await refusal(client)).toBeInstanceOf(ShardUnavailable)
  server.close()
})

describe('with https', () => {
  const trusted = getCACertificates('default')
  afterEach(() => setDefaultCACertificates(trusted))

  test.each([
    ['localhost', /answered 200 without a valid signature/, ['POST /v1/outcomes']],
    ['posthorn.example', /is not in the cert's altnames|does not match certificate's altnames/, []],
  ])(
    'the certificate must be that of the shard, not that of the forwarded host: %s',
    async (host, message, reached) => {
      const certificate = makeCertificate({ name: host, hosts: [host], isAuthority: true })
      setDefaultCACertificates([...trusted, certificate.cert])
      await using receiver = await startTlsReceiver(certificate, (_, response) => void response.end())
      using client = clientOf({ url: receiver.url('') })
      const error = await refusal(client, { headers: { host: 'posthorn.example' } })
      expect(error.message).toMatch(message)
      expect(receiver.requests).toEqual(reached)
    },
  )
})

async function refusal(client: ShardClient, options: object = {}): Promise<ShardUnavailable> {
  const answer = client.send({ method: 'POST', path: '/v1/outcomes', body: Buffer.from('{}'), ...options })
  return await answer.then(
    () => expect.unreachable('the answer was accepted'),
    (error: ShardUnavailable) => error,
  )
}

function clientOf({ url }: { url: string }): ShardClient {
  return new ShardClient({ number: 1, url, keys, clock: systemClock })
}

interface Answering {
  keys: typeof keys
  number: number
  status: number
  /** Replaces the signature of the answer. */
  header: (signature: string) => string | null
}

interface Received {
  url: string | undefined
  headers: IncomingMessage['headers']
  bodyIs: string
}

/** A server that verifies requests and signs answers as a shard does. */
async function startShard(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
  answering: Partial<Answering> = {},
): Promise<AsyncDisposable & { url: string; received: Received[] }> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    const header = String(headers['x-posthorn-front'])
    const forwardedFor = String(headers['x-forwarded-for'] ?? '')
    const sent = { method, path: url, forwardedFor, operator: '' }
    const verified = verifyRequest(header, sent, { keys, nowMs: Date.now() })
    if ('flaw' in verified) throw new Error(`the request was not signed: ${verified.flaw}`)
    received.push({ url, headers, bodyIs: verified.body })
    const key = answering.keys?.[0] ?? verified.signature.key
    const status = answering.status ?? 200
    const own = signAnswer({ ...verified.signature, key }, status, answering.number ?? 1)
    const signature = answering.header === undefined ? own : answering.header(own)
    response.statusCode = status
    if (signature !== null) response.setHeader('x-posthorn-shard', signature)
    void answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    [Symbol.asyncDispose]: async () => {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

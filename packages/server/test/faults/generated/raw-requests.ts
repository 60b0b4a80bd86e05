import { once } from 'node:events'
import { connect } from 'node:net'
import type fc from 'fast-check'
import { mutated } from './mutated.ts'

const samples = (apiKey: string): Buffer[] =>
  [
    `GET /v1/webhooks?limit=2 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`,
    `POST /v1/webhooks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    `POST /v1/outcomes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\nGET /metrics HTTP/1.1\r\nHost: a\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
  ].map(text => Buffer.from(text))

const tokens = [
  '\r\n',
  '\n',
  '\r\n\r\n',
  ': ',
  'HTTP/1.1',
  'HTTP/2.0',
  'Content-Length: 99',
  'Transfer-Encoding: identity',
  ' ',
  '\0',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  `X-Long: ${'x'.repeat(20_000)}`,
]

/** The bytes of a request, often mutated. */
export function rawRequests(apiKey: string): fc.Arbitrary<Buffer> {
  return mutated(samples(apiKey), tokens)
}

const patienceMs = 5_000

/** Sends bytes and then nothing more, and returns everything that comes back until the connection ends. */
export async function exchangeBytes(url: string, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  let answer = ''
  socket.setTimeout(patienceMs, () => socket.destroy())
  socket.on('data', piece => (answer += piece.toString('latin1')))
  socket.on('error', () => {})
  socket.end(bytes)
  await once(socket, 'close')
  return answer
}

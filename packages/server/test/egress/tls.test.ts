import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import type { TlsOptions } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCertificate } from './certificate.ts'
import { answering, openTestEgress, post } from './open-test-egress.ts'
import { postWithExtraCa } from './post-with-extra-ca.ts'

const authority = makeCertificate({ name: 'Posthorn test authority', isAuthority: true })
const good = makeCertificate({
  name: 'good',
  hosts: ['good.example.com', 'older.example.com'],
  issuer: authority,
})
const servers: Server[] = []
const requests: string[] = []

async function listen(server: Server): Promise<number> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function listenTls(options: TlsOptions): Promise<number> {
  const server = createServer(options, (request, response) => {
    requests.push(String(request.headers.host))
    if (request.url === '/close') response.setHeader('connection', 'close')
    response.end('ok')
  })
  return listen(server)
}

afterAll(() => {
  for (const server of servers) server.close()
})

test('a certificate that no trusted authority signed is rejected, and nothing is sent', async () => {
  await using egress = openTestEgress({ resolver: answering({ 'good.example.com': ['127.0.0.1'] }) })
  const before = requests.length
  const self = makeCertificate({ name: 'self', hosts: ['good.example.com'] })
  for (const [certificate, words] of [
    [self, 'self-signed'],
    [good, 'intermediate certificates are missing'],
    [{ ...good, cert: good.cert + authority.cert }, 'self-signed'],
  ] as const) {
    const exchange = await post(egress, `https://good.example.com:${await listenTls(certificate)}/`)
    expect(exchange).toMatchObject({ outcome: 'failure', statusCode: null, error: { code: 'tls_failed' } })
    expect(exchange.error?.message).toContain(words)
  }
  expect(requests).toHaveLength(before)
  await expect.poll(() => egress.openSockets).toBe(0)
})

test('the error distinguishes a plain HTTP port from a server with TLS 1.1', async () => {
  await using egress = openTestEgress({ resolver: answering({ 'good.example.com': ['127.0.0.1'] }) })
  const plain = await listen(createHttpServer((_request, response) => response.end()))
  expect((await post(egress, `https://good.example.com:${plain}/`)).error).toEqual({
    code: 'tls_failed',
    message:
      'We could not open a secure connection to good.example.com: the port does not speak TLS; perhaps it speaks plain HTTP. Use a certificate from a public authority with its full chain, and TLS 1.2 or newer.',
  })
  const old = await listenTls({
    ...good,
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  })
  expect((await post(egress, `https://good.example.com:${old}/`)).error).toEqual({
    code: 'tls_failed',
    message: expect.stringContaining('to good.example.com: it does not offer TLS 1.2 or newer.'),
  })
})

function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}

let exchanges: Awaited<ReturnType<typeof postWithExtraCa>>

beforeAll(async () => {
  const expired = makeCertificate({
    name: 'expired',
    hosts: ['expired.example.com'],
    issuer: authority,
    validDays: [-60, -30],
  })
  const early = makeCertificate({
    name: 'early',
    hosts: ['early.example.com'],
    issuer: authority,
    validDays: [5, 30],
  })
  const commonName = makeCertificate({ name: 'common.example.com', issuer: authority })
  const wantsCertificate = { ...good, requestCert: true, rejectUnauthorized: true }
  const [goodPort, olderPort, expiredPort, earlyPort, clientPort, olderClientPort, commonNamePort, h2Port] =
    await Promise.all([
      listenTls(good),
      listenTls({ ...good, maxVersion: 'TLSv1.2' }),
      listenTls(expired),
      listenTls(early),
      listenTls(wantsCertificate),
      listenTls({ ...wantsCertificate, maxVersion: 'TLSv1.2' }),
      listenTls(commonName),
      listen(createSecureServer({ ...good, allowHTTP1: false })),
    ])
  exchanges = await postWithExtraCa(authority.cert, [
    `https://good.example.com:${goodPort}/`,
    `https://older.example.com:${olderPort}/close`,
    `https://expired.example.com:${expiredPort}/`,
    `https://early.example.com:${earlyPort}/`,
    `https://other.example.com:${goodPort}/`,
    `https://127.0.0.1:${goodPort}/`,
    `https://good.example.com:${clientPort}/`,
    `https://good.example.com:${goodPort}/again`,
    `https://good.example.com:${olderClientPort}/`,
    `https://common.example.com:${commonNamePort}/`,
    `https://good.example.com:${h2Port}/`,
  ])
})

test('an authority in NODE_EXTRA_CA_CERTS is trusted with TLS 1.2 or newer', () => {
  expect(exchanges[0]).toMatchObject({
    outcome: 'success',
    responseBody: 'ok',
    phases: { tlsMs: expect.any(Number) },
  })
  expect(exchanges[1]).toMatchObject({ outcome: 'success' })
  expect(exchanges[7]).toMatchObject({ outcome: 'success', phases: { tlsMs: null } })
  expect(new Set(requests.map(host => host.replace(/:.*/, '')))).toEqual(
    new Set(['good.example.com', 'older.example.com']),
  )
})

test('an expired or not yet valid certificate is tls_expired, and the message gives the day', () => {
  const day = dayFromNow(-30)
  expect(exchanges[2]?.error).toEqual({
    code: 'tls_expired',
    message: expect.stringMatching(
      new RegExp(`^The certificate expired on ${day} at \\d\\d:\\d\\d UTC\\. Renew it\\. The next retry`),
    ),
  })
  expect(exchanges[3]?.error).toMatchObject({
    code: 'tls_expired',
    message: expect.stringContaining(`not valid before ${dayFromNow(5)} at `),
  })
})

test('a certificate for another name is tls_name_mismatch, also if the URL has an IP address', () => {
  expect(exchanges[4]?.error).toEqual({
    code: 'tls_name_mismatch',
    message:
      'The certificate is for good.example.com, older.example.com, not for other.example.com. Install a certificate for other.example.com, or correct the URL.',
  })
  expect(exchanges[5]?.error).toMatchObject({ code: 'tls_name_mismatch' })
})

test('a server that wants a client certificate gets none, and the message says so', () => {
  expect(exchanges[8]).toMatchObject({
    statusCode: null,
    error: {
      code: 'tls_failed',
      message:
        'We could not open a secure connection to good.example.com: it asks for a client certificate, but this endpoint has none. Set one in the settings of the endpoint, or turn off client certificates for this URL.',
    },
  })
  // in TLS 1.3 the server refuses after the handshake, and a reset may arrive before the reason
  expect(exchanges[6]).toMatchObject({
    statusCode: null,
    error: { message: expect.stringMatching(/asks for a client certificate|closed the connection/) },
  })
})

test('a certificate without alternative names is valid for no host, regardless of its common name', () => {
  expect(exchanges[9]).toMatchObject({
    statusCode: null,
    error: {
      code: 'tls_name_mismatch',
      message:
        'The certificate is for no DNS name, not for common.example.com. Install a certificate for common.example.com, or correct the URL.',
    },
  })
})

test('the error for a server that speaks only HTTP/2 says that HTTP/1.1 is needed', () => {
  expect(exchanges[10]?.error).toMatchObject({
    code: 'tls_failed',
    message:
      'We could not open a secure connection to good.example.com: it speaks HTTP/2 only, but Posthorn sends HTTP/1.1. Turn on HTTP/1.1 for this URL.',
  })
})

import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { makeCertificate } from './certificate.ts'
import { openTestEgress, post } from './open-test-egress.ts'

const minuteMs = 60_000

test('a TLS session is resumed for at most ten minutes, and its certificate stays known', async () => {
  const authority = makeCertificate({ name: 'Authority of these sessions', isAuthority: true })
  setDefaultCACertificates([authority.cert])
  const certificate = makeCertificate({ name: 'receiver', hosts: ['localhost'], issuer: authority })
  const resumed: boolean[] = []
  const server = createServer(certificate, (request, response) => {
    request.resume().once('end', () => response.writeHead(204, { connection: 'close' }).end())
  })
  server.on('secureConnection', (socket: TLSSocket) => resumed.push(socket.isSessionReused()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`
  let nowMs = 0
  await using egress = openTestEgress({ monotonicMs: () => nowMs })
  const expiries = new Set<number | undefined>()
  for (let minutes = 0; minutes <= 20; minutes += 4) {
    nowMs = minutes * minuteMs
    const exchange = await post(egress, url)
    expect(exchange.outcome).toBe('success')
    expiries.add(exchange.certificate?.validUntilMs)
    await expect.poll(() => egress.openSockets).toBe(0)
  }
  expect(resumed).toEqual([false, true, true, false, true, true])
  const [expiry, ...others] = expiries
  expect(others).toEqual([])
  expect(expiry).toBeGreaterThan(Date.now())
  server.close()
})

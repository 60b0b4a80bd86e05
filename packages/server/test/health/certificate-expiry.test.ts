import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Webhook, WebhookHealth } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Certificate, makeCertificate } from '../egress/certificate.ts'
import { type Customer, expectStatus, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { verbBackends, type DatabasePlace, newDatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'

const dayMs = 86_400_000
const authority = makeCertificate({ name: 'Posthorn test authority', isAuthority: true })
const certificate = (days: number): Certificate =>
  makeCertificate({ name: 'receiver', hosts: ['localhost'], issuer: authority, validDays: [-60, days] })

/** A TLS receiver that gets each request on a new connection. */
async function startTlsReceiver(
  first: Certificate,
): Promise<{ url: string; server: Server } & AsyncDisposable> {
  const server = createServer(first, (request, response) => {
    request.resume().once('end', () => response.writeHead(204, { connection: 'close' }).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `https://localhost:${port}/`,
    server,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

describe.each(verbBackends())('expiring certificates on $name', backend => {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-ca-'))
  let place: DatabasePlace
  let service: ServiceProcess
  beforeAll(async () => {
    const file = join(folder, 'ca.pem')
    writeFileSync(file, authority.cert)
    place = await newDatabasePlace(backend)
    service = await startService(newInstallation(place), { NODE_EXTRA_CA_CERTS: file })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  /** Waits until the stored certificate expires in `days` days. */
  const untilEndsIn = async (customer: Customer, webhook: Webhook, days: number): Promise<WebhookHealth> =>
    await until(`the certificate is known to end in ${days} days`, async () => {
      const path = `/v1/webhooks/${webhook.id}/health`
      const health = expectStatus(200, await customer.api.get<WebhookHealth>(path))
      const { certificate_expires_at: at } = health
      const left = at === null ? Number.NaN : (Date.parse(at) - Date.now()) / dayMs
      return Math.abs(left - days) < 0.1 ? health : undefined
    })

  test('is taken from the last handshake, with a warning from 14 days before and an error after expiry', async () => {
    const acme = await newCustomer(service.url, service.operator)
    await using receiver = await startTlsReceiver(certificate(30))
    const webhook = await acme.newWebhook({ url: receiver.url })
    await acme.report(3)
    expect((await untilEndsIn(acme, webhook, 30)).warnings).toEqual([])

    receiver.server.setSecureContext(certificate(13))
    await acme.report(1)
    const soon = await untilEndsIn(acme, webhook, 13)
    expect(soon.warnings.map(one => one.code)).toEqual(['certificate_expires_soon'])
    expect(Date.parse(soon.warnings[0]?.since ?? '') + 14 * dayMs).toBe(
      Date.parse(soon.certificate_expires_at ?? ''),
    )

    receiver.server.setSecureContext(certificate(-1))
    await acme.report(1)
    expect(await untilEndsIn(acme, webhook, -1)).toMatchObject({ last_error_code: 'tls_expired' })

    receiver.server.setSecureContext(certificate(90))
    await acme.report(1)
    expect(await untilEndsIn(acme, webhook, 90)).toMatchObject({ state: 'healthy', last_error_code: null })
  })

  test('is known for each endpoint, even if it uses a connection that another endpoint opened', async () => {
    const acme = await newCustomer(service.url, service.operator)
    await using receiver = await startTlsReceiver(certificate(40))
    receiver.server.removeAllListeners('request')
    receiver.server.on('request', (request, response) => {
      request.resume().once('end', () => response.writeHead(204).end())
    })
    const first = await acme.newWebhook({ url: receiver.url })
    await acme.report(1)
    await untilEndsIn(acme, first, 40)
    const second = await acme.newWebhook({ url: `${receiver.url}other` })
    await acme.report(1)
    await untilEndsIn(acme, second, 40)
  })

  test('is cleared when the endpoint moves to another server', async () => {
    const acme = await newCustomer(service.url, service.operator)
    await using receiver = await startTlsReceiver(certificate(50))
    await using plain = await startReceiver()
    const webhook = await acme.newWebhook({ url: receiver.url })
    await acme.report(1)
    await untilEndsIn(acme, webhook, 50)
    await acme.api.patch(`/v1/webhooks/${webhook.id}`, { url: `${receiver.url}elsewhere` })
    await untilEndsIn(acme, webhook, 50)
    await acme.api.patch(`/v1/webhooks/${webhook.id}`, { url: plain.url() })
    const path = `/v1/webhooks/${webhook.id}/health`
    const health = expectStatus(200, await acme.api.get<WebhookHealth>(path))
    expect(health.certificate_expires_at).toBeNull()
  })
})

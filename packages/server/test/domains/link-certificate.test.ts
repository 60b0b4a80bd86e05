import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SendingDomain } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { makeCertificate } from '../egress/certificate.ts'
import { connectApi, newCustomer } from '../support/api.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { embedded, newDatabasePlace } from '../support/test-database.ts'
import { startTlsReceiver } from '../support/tls-receiver.ts'
import { recordOf } from './domain-account.ts'

test('a link host counts only if it has a valid certificate', async () => {
  await using place = await newDatabasePlace(embedded)
  await using dns = await startDnsServer()
  const authority = makeCertificate({ name: 'Posthorn test authority', isAuthority: true })
  writeFileSync(join(place.dataDir, 'authority.pem'), authority.cert)
  const served = makeCertificate({ name: 'proxy', hosts: ['links.served.example'], issuer: authority })
  await using proxy = await startTlsReceiver(served, (_, response) => response.writeHead(404).end())
  await using service = await startService(newInstallation(place), {
    NODE_EXTRA_CA_CERTS: join(place.dataDir, 'authority.pem'),
    POSTHORN_DNS_SERVERS: dns.address,
    POSTHORN_PUBLIC_URL: `https://posthorn.example:${new URL(proxy.url('')).port}`,
  })
  dns.addresses('posthorn.example', '127.0.0.1')
  const { apiKey } = await newCustomer(service.url, service.operator)
  const api = connectApi(service.url, apiKey)
  const checked = async (name: string) => {
    dns.cname(`links.${name}`, 'posthorn.example')
    const { body: domain } = await api.post<SendingDomain>('/v1/domains', {
      name,
      link_host: `links.${name}`,
    })
    return (await api.post<SendingDomain>(`/v1/domains/${domain.id}/check`)).body
  }
  const right = await checked('served.example')
  expect(recordOf(right, 'link_cname').state).toBe('right')
  expect(right.link_host_verified_at).not.toBeNull()
  expect(proxy.requests).toEqual(['HEAD /u/'])
  const wrong = await checked('unknown.example')
  expect(recordOf(wrong, 'link_cname')).toMatchObject({
    state: 'wrong',
    message: expect.stringContaining('Ask the operator'),
  })
  expect(wrong.link_host_verified_at).toBeNull()
})
